/**
 * The one line that tells the model how large its request is, what the ceiling is and what it can do about it
 * (R233). Tokens are whole.
 */
export function noticeText(facts: {
  readonly estimate: number
  readonly ceiling: number
  readonly contextTool: string
}): string {
  const { estimate, ceiling, contextTool } = facts
  return `[Note from the app, not an instruction: this request has about ${Math.ceil(estimate)} of the ${ceiling} tokens that it may have; ${contextTool} can set material aside and read it back.]`
}
