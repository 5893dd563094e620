import type { DecideInput } from './decide-input.ts'
import { foldBlocked } from './fold-conditions.ts'
import { atOrPast, type Estimate, estimateNumber } from './scale.ts'

/**
 * The one line that tells the model how large its request is, what the ceiling is and what it can do about it
 * (R233). Tokens are whole.
 */
function noticeText(facts: {
  readonly estimate: number
  readonly ceiling: number
  readonly contextTool: string
}): string {
  const { estimate, ceiling, contextTool } = facts
  return `[Note from the app, not an instruction: this request has about ${Math.ceil(estimate)} of the ${ceiling} tokens that it may have; ${contextTool} can set material aside and read it back.]`
}

/** The notice of a request that is at or past the line after folding, where the model could do something about it. */
export function noticeFor(input: DecideInput, estimate: Estimate): string | null {
  const { policy, contextTool } = input
  const { ceiling } = input.ceiling
  if (!policy.notice || contextTool === null || ceiling === null || input.bindsReasoning) return null
  // It stands after every mark, and one at the end of the request would be on it.
  if (input.endMark !== null || foldBlocked(input) !== null) return null
  if (!atOrPast(estimate, ceiling, policy.contextFoldAt)) return null
  return noticeText({ estimate: estimateNumber(estimate), ceiling, contextTool })
}
