import type { EntryDraft, MessageReading, NativeMessage, ReadingOptions } from '../../engine/format.ts'
import { isObject, type JsonObject } from '../../engine/json.ts'
import { canonicalJson } from '../canonical-json.ts'
import { type DraftOwners, draftOwners } from '../draft-owners.ts'
import { callDraft, resultDraft } from '../drafts.ts'
import { matchContent, matchText } from '../match-text.ts'
import { readableContent } from '../readable-content.ts'
import { segmentMessage } from '../segments.ts'
import { mediaTokensFor } from './media.ts'
import { partBlocks } from './part-blocks.ts'
import { callIn, callsOf, contentParts, isModel, responseIn, responsesOf } from './parts.ts'
import { responseFailed, responseMatch, responseText } from './response-value.ts'

/** What the provider's own tools did stands in the answer. */
export function partOwners(content: JsonObject): DraftOwners {
  return draftOwners(contentParts(content), {
    answer: isModel(content),
    call: (part) => callIn(part) !== null,
    result: (part) => responseIn(part) !== null,
  })
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
  const input = call.args ?? {}
  return callDraft({
    callId,
    name: nameOf(call),
    written: JSON.stringify(input),
    match: ['json', canonicalJson(input)],
    matchedId: ownId(call),
  })
}

function readResult(response: JsonObject, callId: string): EntryDraft {
  return {
    ...resultDraft({
      callId,
      name: nameOf(response),
      content: responseMatch(response),
      text: responseText(response),
      failed: responseFailed(response),
      ownId: ownId(response),
    }),
    pairsByName: true,
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
