import { mayPause, type Pace } from './pace.ts'
import type { Plan } from './plan.ts'

/** Names one text by its content. The text comes in parts, none of which begins or ends inside a surrogate pair. */
export interface OpenDigest {
  add(part: string): void
  end(): string
}

export type Digest = () => OpenDigest

/** The text itself: name enough where nothing is stored. */
export const ownName: Digest = () => {
  let text = ''
  return {
    add(part) {
      text += part
    },
    end: () => text,
  }
}

/** UTF-16 units that are digested in one piece. */
const PART_UNITS = 16_384

/** Digests a text; a long one part by part, with pauses. */
export function* digestText(text: string, digest: Digest, pace: Pace): Plan<string> {
  const open = digest()
  for (let start = 0; start < text.length; ) {
    const end = partEnd(text, start + PART_UNITS)
    open.add(start === 0 && end === text.length ? text : text.slice(start, end))
    if (pace.isDue(end - start)) yield mayPause
    start = end
  }
  return open.end()
}

function partEnd(text: string, wanted: number): number {
  if (wanted >= text.length) return text.length
  const before = text.charCodeAt(wanted - 1)
  return before >= 0xd800 && before <= 0xdbff ? wanted + 1 : wanted
}
