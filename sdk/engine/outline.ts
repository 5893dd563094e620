import type { Segment } from './format.ts'
import { nextSafeCut, previousSafeCut } from './safe-cut.ts'

/** Texts are counted and cached in pieces of about this many UTF-16 units. */
const PIECE_UNITS = 4096

export interface OwnedText {
  readonly owner: number
  readonly text: string
}

/**
 * A text taken apart at safe cuts, so that it can stand beside any other text and the counts still add up
 * exactly: what lies between its first and last cut is counted by itself, and its two loose ends are counted
 * together with what they touch. A text without a cut is all loose end.
 */
export type Outline =
  | { readonly type: 'loose'; readonly text: string; readonly owner: number }
  | {
      readonly type: 'cut'
      readonly head: OwnedText
      /** Counted between cuts. */
      readonly pieces: readonly OwnedText[]
      readonly tail: OwnedText
    }

export function outlineSegment(segment: Pick<Segment, 'owner' | 'text'>): Outline {
  const { owner, text } = segment
  const first = nextSafeCut(text, 1)
  if (first < 0) return { type: 'loose', text, owner }
  const last = previousSafeCut(text, text.length - 1)
  const pieces: OwnedText[] = []
  for (let start = first; start < last; ) {
    const cut = start + PIECE_UNITS < last ? nextSafeCut(text, start + PIECE_UNITS) : last
    const end = cut < 0 || cut > last ? last : cut
    pieces.push({ owner, text: text.slice(start, end) })
    start = end
  }
  return {
    type: 'cut',
    head: { owner, text: text.slice(0, first) },
    pieces,
    tail: { owner, text: text.slice(last) },
  }
}

/**
 * Joins outlines in order into the outline of their texts' concatenation. Where two loose ends meet they
 * become one piece, which belongs to the owner of its beginning.
 */
export function joinOutlines(outlines: Iterable<Outline>): Outline {
  let head: OwnedText | null = null
  let loose: OwnedText = { owner: 0, text: '' }
  const pieces: OwnedText[] = []
  for (const outline of outlines) {
    if (outline.type === 'loose') {
      loose = extend(loose, outline)
      continue
    }
    const end = extend(loose, outline.head)
    if (head === null) head = end
    else pieces.push(end)
    for (const piece of outline.pieces) pieces.push(piece)
    loose = outline.tail
  }
  return head === null ? { type: 'loose', ...loose } : { type: 'cut', head, pieces, tail: loose }
}

function extend(loose: OwnedText, next: OwnedText): OwnedText {
  return loose.text === '' ? next : { owner: loose.owner, text: loose.text + next.text }
}
