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
export class OutlineJoiner {
  #head: OwnedText | null = null
  #loose: OwnedText = { owner: 0, text: '' }
  readonly #pieces: OwnedText[] = []

  addLoose(owner: number, text: string): void {
    const loose = this.#loose
    this.#loose = loose.text === '' ? { owner, text } : { owner: loose.owner, text: loose.text + text }
  }

  addPiece(owner: number, text: string): void {
    this.#pieces.push({ owner, text })
  }

  /** Ends the open piece with the head of a text that has cuts; its pieces and its tail must follow. */
  closeWith(owner: number, head: string): void {
    this.addLoose(owner, head)
    if (this.#head === null) this.#head = this.#loose
    else this.#pieces.push(this.#loose)
    this.#loose = { owner: 0, text: '' }
  }

  /** Adds an outline under other owners. */
  add(outline: Outline, ownerOf: (local: number) => number): void {
    if (outline.type === 'loose') {
      this.addLoose(ownerOf(outline.owner), outline.text)
      return
    }
    this.closeWith(ownerOf(outline.head.owner), outline.head.text)
    for (const { owner, text } of outline.pieces) this.addPiece(ownerOf(owner), text)
    this.addLoose(ownerOf(outline.tail.owner), outline.tail.text)
  }

  outline(): Outline {
    return this.#head === null
      ? { type: 'loose', ...this.#loose }
      : { type: 'cut', head: this.#head, pieces: this.#pieces, tail: this.#loose }
  }
}
