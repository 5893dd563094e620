import type { EntryDraft, MessageReading, NativeMessage, ReadingOptions } from '../../engine/format.ts'
import type { JsonObject } from '../../engine/json.ts'
import { canonicalJson } from '../canonical-json.ts'
import { type MatchPart, matchContent, matchText } from '../match-text.ts'
import { readableContent } from '../readable-content.ts'
import { segmentItems } from '../segments.ts'
import { readCall, readResult } from './calls.ts'
import { bindsItsRun, isCall, isMessage, isReasoning, isReference, itemKind, itemsOf } from './items.ts'
import { mediaTokensFor } from './media.ts'

/** A run of items is an answer and then its calls; every other item is one entry (rules.md 2, "Entries"). */
export function readMessage(snapshot: NativeMessage, options: ReadingOptions = {}): MessageReading {
  if (typeof snapshot === 'string')
    return {
      drafts: [readInstruction(textItem(snapshot))],
      segments: [{ owner: 0, text: JSON.stringify(snapshot) }],
    }
  const items = itemsOf(snapshot)
  return {
    drafts: readItems(items),
    segments: segmentItems(items, {
      owners: itemOwners(items),
      mediaTokens: mediaTokensFor(options.model),
    }),
  }
}

/** Input that is one text, as the item that it stands for. */
export function textItem(text: string): JsonObject {
  return { role: 'user', content: text }
}

/** Draft that each item of a message belongs to: every call is one, and all else is the answer around them. */
export function itemOwners(items: readonly JsonObject[]): readonly number[] {
  if (!isRun(items)) return items.map(() => 0)
  let call = 0
  return items.map((item) => (isCall(item) ? ++call : 0))
}

/** What came in one response, and can be taken apart. */
function isRun([first, ...rest]: readonly JsonObject[]): boolean {
  if (first === undefined || [first, ...rest].some(bindsItsRun)) return false
  const kind = itemKind(first)
  return kind === 'answer' || kind === 'call'
}

function readItems(items: readonly JsonObject[]): readonly EntryDraft[] {
  if (isRun(items)) return [readAnswer(items), ...items.filter(isCall).map(readCall)]
  const [first] = items
  const kind = first === undefined ? 'instruction' : itemKind(first)
  if (first === undefined || kind === 'instruction') return [readInstruction(first ?? {})]
  return [kind === 'result' && items.length === 1 ? readResult(first) : readStanding(items)]
}

function readInstruction(item: JsonObject): EntryDraft {
  return {
    kind: 'instruction',
    matchText: matchText({ kind: 'instruction', content: matchContent(item.content) }),
    text: readableContent(item.content),
    // A role of some later time is kept and sent, but nobody knows that a person spoke.
    startsTurn: item.role === 'user',
  }
}

function readAnswer(items: readonly JsonObject[]): EntryDraft {
  const said = items.filter((item) => !isCall(item) && !isReasoning(item))
  return {
    kind: 'answer',
    matchText: matchText({ kind: 'answer', content: said.flatMap(matchItem) }),
    text: joined(said),
  }
}

/** What no stage may take or shorten: it holds for all that follows it, or cannot be understood. */
function readStanding(items: readonly JsonObject[]): EntryDraft {
  return {
    kind: 'system',
    matchText: matchText({ kind: 'system', content: items.flatMap(matchItem) }),
    text: joined(items),
  }
}

function matchItem(item: JsonObject): readonly MatchPart[] {
  return isMessage(item) ? matchContent(item.content) : [['item', canonicalJson(identity(item))]]
}

/** Names that the provider gives, and how far it came, say nothing of what an item is; a reference is its name. */
function identity({ id, status: _, ...item }: JsonObject): JsonObject {
  return isReference({ ...item, id }) ? { ...item, id } : item
}

function joined(items: readonly JsonObject[]): string {
  return items
    .map((item) => readableContent(isMessage(item) ? item.content : [item]))
    .filter((text) => text !== '')
    .join('\n')
}
