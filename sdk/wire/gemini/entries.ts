import type { EntryDraft, MessageReading, NativeMessage, ReadingOptions } from '../../engine/format.ts'
import { isObject, type JsonObject } from '../../engine/json.ts'
import { canonicalJson } from '../canonical-json.ts'
import { matchContent, matchText } from '../match-text.ts'
import { readableContent } from '../readable-content.ts'
import { segmentMessage } from '../segments.ts'
import { mediaTokensFor } from './media.ts'
import { partBlocks } from './part-blocks.ts'
import { callIn, callsOf, contentParts, isModel, responseIn, responsesOf } from './parts.ts'
import { responseFailed, responseMatch, responseText } from './response-value.ts'

/** How the parts of a content fall to its drafts. */
export interface PartOwners {
  readonly parts: readonly number[]
  /** Draft that owns the frame, and what no other draft owns. */
  readonly frame: number
}

/**
 * A content of the model is an answer and then its calls; one of the user is its results and then, where
 * anything else is in it or nothing at all, one instruction (rules.md 2, "Entries"). What the provider's own
 * tools did stands in the answer.
 */
export function partOwners(content: JsonObject): PartOwners {
  const parts = contentParts(content)
  if (isModel(content)) {
    let call = 0
    return { parts: parts.map((part) => (callIn(part) ? ++call : 0)), frame: 0 }
  }
  const results = responsesOf(content).length
  const hasRest = results < parts.length || results === 0
  let result = 0
  return {
    parts: parts.map((part) => (responseIn(part) ? result++ : results)),
    frame: hasRest ? results : 0,
  }
}

export function readMessage(snapshot: NativeMessage, options: ReadingOptions = {}): MessageReading {
  const content = isObject(snapshot) ? snapshot : {}
  const owners = partOwners(content)
  return {
    drafts: isModel(content) ? readAnswer(content) : readInput(content),
    segments: segmentMessage({
      message: content,
      frame: owners.frame,
      owners: { parts: owners.parts },
      mediaTokens: mediaTokensFor(options.model),
    }),
  }
}

function readAnswer(content: JsonObject): readonly EntryDraft[] {
  const said = partBlocks(contentParts(content).filter((part) => callIn(part) === null))
  const calls = callsOf(content)
  const ids = pairIds(calls)
  return [
    {
      kind: 'answer',
      matchText: matchText({ kind: 'answer', content: matchContent(said) }),
      text: readableContent(said),
    },
    ...calls.map((call, position) => readCall(call, ids[position] ?? '')),
  ]
}

function readInput(content: JsonObject): readonly EntryDraft[] {
  const responses = responsesOf(content)
  const ids = pairIds(responses)
  const results = responses.map((response, position) => readResult(response, ids[position] ?? ''))
  const rest = contentParts(content).filter((part) => responseIn(part) === null)
  if (results.length > 0 && rest.length === 0) return results
  const said = partBlocks(rest)
  return [
    ...results,
    {
      kind: 'instruction',
      matchText: matchText({ kind: 'instruction', content: matchContent(said) }),
      text: readableContent(said),
      // A role of some later time is kept and sent, but nobody knows that a person spoke.
      startsTurn: results.length === 0 && (content.role === 'user' || content.role === undefined),
    },
  ]
}

function readCall(call: JsonObject, callId: string): EntryDraft {
  const name = nameOf(call)
  const input = call.args ?? {}
  const written = JSON.stringify(input)
  return {
    kind: 'call',
    matchText: matchText({
      kind: 'call',
      content: [],
      name,
      arguments: ['json', canonicalJson(input)],
      callId: ownId(call),
    }),
    text: `${name ?? ''}(${written})`,
    callId,
    arguments: written,
    ...(name === undefined ? {} : { name }),
  }
}

function readResult(response: JsonObject, callId: string): EntryDraft {
  const name = nameOf(response)
  const id = ownId(response)
  return {
    kind: 'result',
    matchText: matchText({
      kind: 'result',
      content: responseMatch(response),
      // The name is decoration beside an id, and the only link without one.
      name: id === undefined ? name : undefined,
      callId: id,
    }),
    text: responseText(response),
    callId,
    pairsByName: true,
    ...(name === undefined ? {} : { name }),
    ...(responseFailed(response) ? { failed: true } : {}),
  }
}

/**
 * Ids by which calls and results find each other. Where the provider gave none, the place among those of the
 * same name makes one: results come in the order of their calls.
 */
function pairIds(units: readonly JsonObject[]): readonly string[] {
  const places = new Map<string, number>()
  return units.map((unit) => {
    const name = nameOf(unit) ?? ''
    const place = places.get(name) ?? 0
    places.set(name, place + 1)
    return ownId(unit) ?? `${name}#${place}`
  })
}

function ownId({ id }: JsonObject): string | undefined {
  return typeof id === 'string' && id !== '' ? id : undefined
}

function nameOf({ name }: JsonObject): string | undefined {
  return typeof name === 'string' ? name : undefined
}
