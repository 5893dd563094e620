import type { EntryDraft } from '../engine/format.ts'
import { type MatchPart, matchText } from './match-text.ts'

/** A call, from what its format says of it. */
export function callDraft(call: {
  readonly callId: string | undefined
  readonly name: string | undefined
  /** Arguments as text; undefined: it has none. */
  readonly written: string | undefined
  readonly match: MatchPart
  /** What it is matched by: its id, or its place where the format gives none. */
  readonly matchedId: string | number | undefined
}): EntryDraft {
  const { callId, name, written, match, matchedId } = call
  return {
    kind: 'call',
    matchText: matchText({ kind: 'call', content: [], name, arguments: match, callId: matchedId }),
    text: `${name ?? ''}(${written ?? ''})`,
    ...(written === undefined ? {} : { arguments: written }),
    ...(callId === undefined ? {} : { callId }),
    ...(name === undefined ? {} : { name }),
  }
}

/** A result, from what its format says of it. */
export function resultDraft(result: {
  readonly callId: string | undefined
  readonly name?: string | undefined
  readonly content: readonly MatchPart[]
  readonly text: string
  readonly failed: boolean
  /** The id that the provider gave; undefined: none. */
  readonly ownId: string | undefined
  /** What it is matched by where it has no id; absent: its name alone. */
  readonly place?: number
}): EntryDraft {
  const { callId, name, content, text, failed, ownId, place } = result
  return {
    kind: 'result',
    matchText: matchText({
      kind: 'result',
      content,
      // The name is decoration beside an id, and the only link without one.
      name: ownId === undefined ? name : undefined,
      callId: ownId ?? place,
    }),
    text,
    ...(callId === undefined ? {} : { callId }),
    ...(name === undefined ? {} : { name }),
    ...(failed ? { failed } : {}),
  }
}
