import type { BranchState } from './branch-state.ts'
import type { RefusalReason } from './engine/journal.ts'
import type { Line } from './engine/record.ts'
import { forecast } from './forecasting.ts'
import type { Session } from './session.ts'

/** Size of the next request over a line, before any fold. */
export interface LineSize {
  readonly estimate: number
  readonly ceiling: number | null
  /** Why a request over that line would not be sent; null: it would. */
  readonly refusal: RefusalReason | null
  /**
   * Tokens of each entry that the request would hold, unscaled and without the system and the tools: an advisory
   * figure, and not what is compared with the ceiling (R230, R231). Null while the size is not counted.
   */
  readonly content: ReadonlyMap<number, number> | null
}

/** Null where no request has been seen since the branch was opened. */
export async function sizeOver(session: Session, state: BranchState, line: Line): Promise<LineSize | null> {
  const next = await forecast(session, state, { line, folds: false })
  if (next === null) return null
  const { decided } = next
  const { after, ceiling, method } = decided.facts
  const isCounted = method !== 'bound' && method !== 'estimate'
  return {
    estimate: after,
    ceiling,
    refusal: decided.refusal,
    content: isCounted ? decided.size.entries : null,
  }
}

/** Null where the size is not known. */
export function contentTokens(size: LineSize | null, indexes?: Iterable<number>): number | null {
  if (!size?.content) return null
  const { content } = size
  return [...(indexes ?? content.keys())].reduce((sum, index) => sum + (content.get(index) ?? 0), 0)
}
