import type { DraftKind } from '../engine/format.ts'
import type { KnownMessage } from '../engine/intake.ts'
import { codePoints } from '../engine/text.ts'

const kinds: Readonly<Record<string, DraftKind>> = {
  u: 'instruction',
  a: 'answer',
  c: 'call',
  r: 'result',
}

/** A message by its drafts: `u` instruction, `a` answer, `c` call, `r` result; the text tells equal ones apart. */
export function knownMessage(drafts: string, text: string): KnownMessage {
  const read = [...drafts].map((letter, position) => ({
    kind: kinds[letter] ?? 'instruction',
    matchText: `${letter}:${text}:${position}`,
    text: `${text}${position}`,
    ...(letter === 'c' || letter === 'r' ? { callId: text } : {}),
  }))
  return {
    hash: `${drafts}:${text}`,
    json: JSON.stringify(text),
    snapshot: text,
    reading: { drafts: read, segments: [] },
    keys: read.map((draft) => draft.matchText),
    chars: read.map((draft) => codePoints(draft.text)),
  }
}
