import { codePoints, sliceCodePoints } from './text.ts'

/** The most that one read returns, in code points (R210). */
export const READ_LIMIT = 16_000

export interface TextSlice {
  readonly text: string
  /** Code points of the whole text. */
  readonly total: number
  /** Null at the end; past the end the text is empty, which is no error. */
  readonly nextOffset: number | null
}

/** Code points `offset` to `offset + limit` of a stored original (R209). */
export function readSlice(
  text: string,
  options: { readonly offset: number; readonly limit: number },
): TextSlice {
  const total = codePoints(text)
  const start = Math.min(options.offset, total)
  const end = Math.min(start + Math.min(options.limit, READ_LIMIT), total)
  return { text: sliceCodePoints(text, start, end), total, nextOffset: end < total ? end : null }
}
