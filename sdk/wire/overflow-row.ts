import type { OverflowFacts } from '../engine/overflow-facts.ts'

/**
 * One sentence with which one provider says that a request is too long. A further provider is a further row, and an
 * example of it in the test of its file.
 */
export interface OverflowRow {
  /** Stable name, which is the evidence that a classification gives. */
  readonly name: string
  /** Who says so; absent: several do, in the same words. */
  readonly provider?: string
  /** What is too long; where the sentence names requested output, that decides between the first two. */
  readonly kind: OverflowFacts['kind']
  /**
   * Must begin at the start of the message and repeat nothing without a bound but digits: what stands elsewhere in a
   * message may be the app's own words. Named groups are numbers: `limit`; `got` and whatever of the input is told
   * beside it, `more` and `most`; `output`, what was requested of it; `total`, all of that; `over`, what is too much.
   */
  readonly sentence: RegExp
}

/** What a sentence says, as far as it goes; null: it is another sentence. */
export function matchRow(
  { kind, provider, sentence }: OverflowRow,
  message: string,
): Omit<OverflowFacts, 'evidence'> | null {
  const match = sentence.exec(message)
  if (match === null) return null
  const said = (name: string): number | undefined => wholeNumber(match.groups?.[name])
  const limit = said('limit')
  const output = said('output')
  const got = inputOf(said, { limit, output })
  return {
    kind: output === undefined ? kind : output > 0 ? 'context-and-output' : 'context',
    ...(limit === undefined ? {} : { limit }),
    ...(got === undefined ? {} : { got }),
    ...(output === undefined ? {} : { output }),
    ...(provider === undefined ? {} : { provider }),
  }
}

function inputOf(
  said: (name: string) => number | undefined,
  { limit, output = 0 }: { readonly limit: number | undefined; readonly output: number | undefined },
): number | undefined {
  const got = said('got')
  if (got !== undefined) return got + (said('more') ?? 0) + (said('most') ?? 0)
  const total = said('total')
  if (total !== undefined) return total >= output ? total - output : undefined
  const over = said('over')
  return over === undefined || limit === undefined ? undefined : limit + over
}

function wholeNumber(digits: string | undefined): number | undefined {
  if (digits === undefined) return undefined
  const value = Number(digits)
  return Number.isSafeInteger(value) ? value : undefined
}
