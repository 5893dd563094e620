import { READ_LIMIT } from './read-slice.ts'
import { codePoints, sliceCodePoints } from './text.ts'

/** Names the way in which bodies are shortened; another way has another number. */
export const PROJECTION_VERSION = 1

/** Stands before the head of a JSON value that was cut (rules.md 5). */
export const JSON_LABEL = '[JSON preview] '

/** A body is not clipped below this many code points of its source, nor one that a bound leaves fewer of (R137, R195). */
export const LEAST_KEPT = 1024

/** A text that may be shortened, and where it stands in what `read_result` pages over. Lengths in code points. */
export interface Body {
  readonly source: string
  /** Offset of its first character in the readable text of the result (R175). */
  readonly base: number
  /** What a cut form starts with; empty for text. */
  readonly label: string
  /** Record index of the original. */
  readonly index: number
}

export interface ProjectionRules {
  /** Longest projected body, label and marker included; absent: no bound (R170). */
  readonly maxChars?: number
  /** Registered name of the context tool; null: the marker names none. */
  readonly contextTool: string | null
}

/** A body whole, or the head and tail of it with one marker between them (R142, R173, R174). */
export interface Projection {
  readonly text: string
  /** Code points of the source that are there. */
  readonly kept: number
}

/** Head and tail of `kept` characters, three to one (R136, R173). */
export function headAndTail(kept: number): { readonly head: number; readonly tail: number } {
  const head = Math.floor((3 * kept) / 4)
  return { head, tail: kept - head }
}

/** The one line that says what is missing and how to get it; it promises no more than a first read (R176, R177). */
export function cutMarker(
  cut: { readonly length: number; readonly kept: number; readonly base: number; readonly index: number },
  rules: ProjectionRules,
): string {
  const { head, tail } = headAndTail(cut.kept)
  const omitted = cut.length - cut.kept
  const start = cut.base + head
  const end = cut.base + cut.length - tail
  const lost = `${omitted} of ${cut.length} characters omitted: ${start}-${end}.`
  if (rules.contextTool === null) return `\n[${lost} The original is kept in this browser.]\n`
  const limit = Math.min(rules.maxChars ?? READ_LIMIT, READ_LIMIT, omitted)
  return `\n[${lost} ${rules.contextTool}(action="read_result", index=${cut.index}, offset=${start}, limit=${limit}); continue at next_offset, stop at ${end}]\n`
}

/**
 * Greatest number of source characters at or under an allowance with which the whole body fits the bound, or
 * null where none does (R184, R187, R188). Found by measuring each candidate: a longer body can have a shorter
 * marker, so lengths are not monotonic (R185).
 */
export function effectiveKept(
  body: Body,
  allowance: number,
  rules: ProjectionRules,
  length = codePoints(body.source),
): number | null {
  return greatestFit({
    length,
    allowance,
    maxChars: rules.maxChars,
    overhead: (kept) => codePoints(addedText(body, { length, kept }, rules)),
  })
}

/** What a body that keeps so much of its `length` has beside its own text: its label and its marker. */
export function addedText(
  { base, index, label }: Body,
  { length, kept }: { readonly length: number; readonly kept: number },
  rules: ProjectionRules,
): string {
  return kept >= length ? '' : label + cutMarker({ length, kept, base, index }, rules)
}

/** The search by itself, for any marker length; `overhead` is what a body of `kept` characters adds to them. */
export function greatestFit(search: {
  readonly length: number
  readonly allowance: number
  readonly maxChars: number | undefined
  readonly overhead: (kept: number) => number
}): number | null {
  const { length, allowance, maxChars, overhead } = search
  if (allowance >= length && (maxChars === undefined || length <= maxChars)) return length
  if (maxChars === undefined) return allowance >= 2 ? allowance : null
  for (let kept = Math.min(allowance, maxChars); kept >= 2; kept--)
    if (kept + overhead(kept) <= maxChars) return kept
  return null
}

/** The body with `kept` characters of its source, always cut from the original (R190). */
export function project(body: Body, kept: number, rules: ProjectionRules): Projection {
  const length = codePoints(body.source)
  if (kept >= length) return { text: body.source, kept: length }
  const { head, tail } = headAndTail(kept)
  const marker = cutMarker({ length, kept, base: body.base, index: body.index }, rules)
  const start = sliceCodePoints(body.source, 0, head)
  const end = sliceCodePoints(body.source, length - tail, length)
  return { text: `${body.label}${start}${marker}${end}`, kept }
}
