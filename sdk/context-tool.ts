import { badArgument, requireObject } from './arguments.ts'
import type {
  ArmedReply,
  ContextTool,
  ContextToolReply,
  ContextToolShapes,
  MessagePreview,
  VerbReply,
} from './branch.ts'
import type { BranchVerbs } from './branch-verbs.ts'
import { type ContextAction, contextActions, contextToolDefinition } from './context-tool-definition.ts'
import type { Format } from './engine/format.ts'
import { codePoints } from './engine/text.ts'
import { DogearError } from './errors.ts'
import { toolDefinition } from './wire/tool-definition.ts'

/** What one list of previews may come to, in code points of JSON, where no bound says less. */
const LIST_LIMIT = 16_000

/**
 * The context tool (rules.md 6). Its arguments and replies are written in one convention, the snake case of the
 * markers. A reply is a plain object and never shows an id: a message's address is its index (R383).
 */
export function createContextTool(options: {
  readonly name: string
  readonly verbs: BranchVerbs
  /** Longest text of a result in a request; undefined: no bound. */
  readonly bound: () => number | undefined
}): ContextTool {
  const { name, verbs } = options
  return {
    definition<Known extends Format>(format: Known) {
      const definition = toolDefinition(format, contextToolDefinition(name))
      if (definition === null) throw badArgument('format', 'a known format, such as "openai-chat"', format)
      // Each format's shape is written out in one place for those who build it, and in another for those who use it.
      return definition as unknown as ContextToolShapes[Known]
    },
    async run(given) {
      try {
        const call = requireCall(given)
        return await actions[call.action](call.given, verbs, options.bound() ?? LIST_LIMIT)
      } catch (error) {
        // A model can read what is wrong and go on; whatever is not ours is the app's to see.
        if (DogearError.isInstance(error)) return { success: false, reason: error.message }
        throw error
      }
    },
  }
}

type Given = Readonly<Record<string, unknown>>

type Action = (given: Given, verbs: BranchVerbs, bound: number) => Promise<ContextToolReply>

const actions: Readonly<Record<ContextAction, Action>> = {
  async status(_, verbs) {
    const { entries, inView, folded, ceiling, contentTokens } = await verbs.status()
    return {
      success: true,
      messages: entries,
      in_context: inView,
      folded,
      tokens_est: contentTokens,
      ceiling,
      share_of_ceiling: ceiling === null || contentTokens === null ? null : rounded(contentTokens / ceiling),
    }
  },

  async get_messages(given, verbs, bound) {
    const { total, messages } = await verbs.getMessages(given)
    // By index, and not as they stand in the request: a list that is cut must say where to go on.
    const ordered = messages.toSorted((left, right) => left.index - right.index).map(listed)
    const shown = asManyAsFit(ordered, Math.min(bound, LIST_LIMIT))
    return { success: true, total, messages: shown, next_start: ordered[shown.length]?.index ?? null }
  },

  async read_result(given, verbs) {
    const { text, total, nextOffset, limit } = await verbs.readResult(given)
    return { success: true, text, total, next_offset: nextOffset, ...(limit === undefined ? {} : { limit }) }
  },

  async restore(given, verbs) {
    const reply = await verbs.restore(given)
    return reply.success ? { success: true, restored: reply.restored } : reply
  },

  evict: async (given, verbs) => verbReply(await verbs.evict(given)),

  evict_action_results: async (given, verbs) => verbReply(await verbs.evictActionResults(given)),

  compact: async (given, verbs) => verbReply(await verbs.compact(given)),
}

/** Arguments come as an object, or as the JSON text that a provider hands over. */
function requireCall(given: unknown): { readonly action: ContextAction; readonly given: Given } {
  const call = requireObject(typeof given === 'string' ? parsed(given) : given, '{ action, … }')
  const action = contextActions.find((name) => name === call.action)
  if (action === undefined)
    throw badArgument('action', `one of ${contextActions.map((name) => `"${name}"`).join(', ')}`, call.action)
  return { action, given: call }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw badArgument('the argument', 'JSON text of an object', text)
  }
}

function verbReply(reply: VerbReply | ArmedReply): ContextToolReply {
  if (!reply.success) return reply
  if ('armed' in reply) return { ...reply }
  const { indexes, tokensFreed, noteIndex } = reply
  return {
    success: true,
    removed: indexes,
    tokens_freed_est: tokensFreed,
    ...(noteIndex === undefined ? {} : { note_index: noteIndex }),
  }
}

function listed({ index, kind, name, state, chars, preview }: MessagePreview): Listed {
  return { index, kind, ...(name === undefined ? {} : { name }), state, chars, preview }
}

type Listed = Pick<MessagePreview, 'index' | 'kind' | 'name' | 'state' | 'chars' | 'preview'>

/** A list that is longer than a result may be would be cut through its middle; one message there always is. */
function asManyAsFit(messages: readonly Listed[], limit: number): readonly Listed[] {
  let length = 1
  const tooMany = messages.findIndex((message) => {
    length += codePoints(JSON.stringify(message)) + 1
    return length > limit
  })
  return tooMany < 0 ? messages : messages.slice(0, Math.max(1, tooMany))
}

function rounded(share: number): number {
  return Math.round(share * 10_000) / 10_000
}
