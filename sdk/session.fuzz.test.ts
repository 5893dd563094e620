import { beforeAll, describe, expect, it } from 'vitest'
import type { ContextPolicy } from './engine/policy.ts'
import { InputCeilingError } from './errors.ts'
import { lintRequest } from './lint-request.ts'
import type { CountTokens } from './ports.ts'
import { memoryStore } from './stores/memory.ts'
import { makeConversation } from './testing/conversation.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { messagesOf } from './testing/play-conversation.ts'
import { type Random, seededRandom } from './testing/random.ts'
import { written } from './testing/random-setting.ts'
import { scriptTokenCounter } from './testing/script-token-counter.ts'
import { seeds } from './testing/seeds.ts'
import { loadTokenizer, type Tokenizer } from './tokenizer.ts'

const STEPS = 40

let counter: CountTokens
let tokenizer: Tokenizer

beforeAll(async () => {
  counter = await scriptTokenCounter()
  tokenizer = await loadTokenizer()
})

function somePolicy(random: Random): ContextPolicy {
  return {
    maxInputTokens: random.pick([500, 2000, 6000, 'none']),
    contextFoldAt: random.pick([0.8, 0.9, 1]),
    contextFoldTarget: random.pick([0.3, 0.5, 0.6]),
    contextFoldTailMargin: random.pick([0, 0, 2]),
    promptCaching: random.chance(0.3),
    ...(random.chance(0.3) ? { toolResultMaxChars: random.pick([1024, 4000]) } : {}),
  }
}

/** A chat app at random: it goes on, back, edits, cuts its own front, reloads, restores, evicts, compacts, changes its policy. */
async function play(seed: number): Promise<void> {
  const random = seededRandom(seed)
  const format = random.pick(['openai-chat', 'anthropic'] as const)
  const shapes = random.pick(['plain', 'varied'] as const)
  const conversation = makeConversation({ seed, format, rounds: random.integer(2, 20), shapes })
  const summarize = random.chance(0.7) ? { summarize: written } : {}
  const all = messagesOf(conversation.request)
  const lead = format === 'openai-chat' ? 1 : 0
  const users = all.flatMap(({ role, content }, position) =>
    role === 'user' && !JSON.stringify(content).includes('tool_result') ? [position - lead] : [],
  )
  const store = memoryStore()
  let policy = somePolicy(random)
  let test = await openTestBranch({ policy, store, counter, ...summarize })
  let [request, cut] = [0, 0]
  let begun: number | null = null
  let edits: { role: string; content: string }[] = []
  for (let step = 0; step < STEPS; step++) {
    const choice = random.next()
    if (choice < 0.55) [request, edits] = [Math.min(request + 1, conversation.requests.length - 1), []]
    else if (choice < 0.65) [request, edits] = [random.integer(0, request), []]
    else if (choice < 0.72)
      edits = [
        ...edits,
        { role: 'assistant', content: `So ${step}.` },
        { role: 'user', content: `Edit ${step}` },
      ]
    else if (choice < 0.8) {
      const { branch } = test
      const { entries } = await branch.status()
      const range = { start: random.integer(0, entries), end: random.integer(0, entries + 3) }
      const verbs = [
        () => branch.restore(range),
        () => branch.evict(range),
        () => branch.compact(range),
      ] as const
      await random.pick<() => Promise<unknown>>(verbs)()
      continue
    } else if (choice < 0.86) {
      policy = somePolicy(random)
      await test.branch.setPolicy(policy)
      continue
    } else if (choice < 0.92) {
      test = await openTestBranch({ policy, store, counter, ...summarize })
      continue
    } else cut = random.chance(0.4) ? 0 : (users[random.integer(0, users.length - 1)] ?? 0)
    const length = conversation.requests[request] ?? 0
    if (cut >= length) cut = 0
    const list = [...all.slice(0, lead), ...all.slice(lead + cut, lead + length), ...edits]
    const incoming = { ...conversation.request, messages: structuredClone(list) }
    const before = JSON.stringify(incoming)
    const prepared = await test.branch.prepare(incoming).catch((error: unknown) => {
      if (error instanceof InputCeilingError) return null
      throw error
    })
    expect(JSON.stringify(incoming)).toBe(before)
    const sameFront = begun === cut
    begun = prepared && cut
    if (prepared === null) continue
    const { decision, request: sent, warnings } = prepared
    // A list that begins where the one before it began shares its beginning at least.
    const isForeign = warnings.some(({ code }) => code === 'list_not_of_this_branch')
    if (isForeign) begun = null
    expect(isForeign && sameFront).toBe(false)
    expect(decision.after).toBeLessThanOrEqual(decision.ceiling ?? Number.POSITIVE_INFINITY)
    const faults = lintRequest(format, sent).map(({ rule }) => rule)
    const known = lintRequest(format, incoming).map(({ rule }) => rule)
    for (const rule of new Set(faults))
      expect(faults.filter((other) => other === rule).length, rule).toBeLessThanOrEqual(
        known.filter((other) => other === rule).length,
      )
    expect(tokenizer.countRequest(sent).total).toBe(decision.counted)
    // Where there are no images, that is the count of the text as it is.
    const { system, messages, tools } = sent as typeof incoming & { system?: string; tools?: unknown }
    if (shapes === 'plain')
      expect(await counter.count([JSON.stringify({ system, messages, tools })])).toEqual([decision.counted])
    if (random.chance(0.7)) await prepared.settle({ usage: null })
  }
  const { messages } = await test.branch.getMessages({ scope: 'all' })
  for (const { index, chars, kind } of messages)
    if (kind !== 'note' && kind !== 'copy')
      expect((await test.branch.readResult({ index, limit: 16_000 })).total).toBe(chars)
}

describe('a chat app that does anything at any time', () => {
  it.each(seeds(40))(
    '[R23, R67, R100] gets sound requests, exact counts, and every original back, seed %i',
    play,
  )
})
