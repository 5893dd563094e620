import type { Segment } from './format.ts'
import { mayPause, type Pace } from './pace.ts'
import type { Plan } from './plan.ts'
import { nextSafeCut, previousSafeCut } from './safe-cut.ts'

/** Texts are counted and cached in pieces of about 4,096 UTF-16 units: at least, and about at most, so many. */
const LEAST_PIECE = 2048
const MOST_PIECE = 8192

/** One safe cut in so many ends a piece; there is one in every six units or so of ordinary text. */
const CUTS_PER_PIECE = 384

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

/** Takes a text apart; a long one with pauses. */
export function* outlineSegment(segment: Pick<Segment, 'owner' | 'text'>, pace: Pace): Plan<Outline> {
  const { owner, text } = segment
  const first = nextSafeCut(text, 1)
  if (first < 0) return { type: 'loose', text, owner }
  const last = previousSafeCut(text, text.length - 1)
  const pieces: OwnedText[] = []
  for (let start = first; start < last; ) {
    const end = pieceEnd(text, start, last)
    pieces.push({ owner, text: text.slice(start, end) })
    if (pace.isDue(end - start)) yield mayPause
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
 * Where a piece ends is a matter of the text around that place alone, so that what stands before or behind a change
 * is cut into the pieces that it was cut into before, and need not be counted again.
 */
function pieceEnd(text: string, start: number, last: number): number {
  const most = start + MOST_PIECE
  for (
    let cut = nextSafeCut(text, start + LEAST_PIECE);
    cut >= 0 && cut < last;
    cut = nextSafeCut(text, cut + 1)
  )
    if (cut >= most || endsPiece(text, cut)) return cut
  return last
}

/** Takes the sixteen units before a cut for its name. */
function endsPiece(text: string, cut: number): boolean {
  let hash = 0
  for (let at = cut - 16; at < cut; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0
  return (Math.imul(hash, 0x9e3779b1) >>> 0) % CUTS_PER_PIECE === 0
}

/**
 * Joins outlines in order into the outline of their texts' concatenation. Where two loose ends meet they
 * become one piece, which belongs to the owner of its beginning.
 */
export class OutlineJoiner {
  /** The head of what was joined so far, then its pieces. */
  readonly closed: OwnedText[] = []
  #open: OwnedText = NOTHING

  /** What stands after the last cut. */
  get open(): OwnedText {
    return this.#open
  }

  /** Goes on behind something that was joined before, and left this open. */
  resume(open: OwnedText): void {
    this.#open = open
  }

  addLoose(owner: number, text: string): void {
    const open = this.#open
    this.#open = open.text === '' ? { owner, text } : { owner: open.owner, text: open.text + text }
  }

  /** Adds an outline under other owners. */
  add(outline: Outline, ownerOf: (local: number) => number): void {
    if (outline.type === 'loose') {
      this.addLoose(ownerOf(outline.owner), outline.text)
      return
    }
    this.addLoose(ownerOf(outline.head.owner), outline.head.text)
    this.closed.push(this.#open)
    for (const { owner, text } of outline.pieces) this.closed.push({ owner: ownerOf(owner), text })
    this.#open = { owner: ownerOf(outline.tail.owner), text: outline.tail.text }
  }

  outline(): Outline {
    const [head, ...pieces] = this.closed
    return head === undefined
      ? { type: 'loose', ...this.#open }
      : { type: 'cut', head, pieces, tail: this.#open }
  }
}

const NOTHING: OwnedText = { owner: 0, text: '' }
