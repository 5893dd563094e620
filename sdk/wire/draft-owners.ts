/** How the parts of a message's content fall to its drafts. */
export interface DraftOwners {
  /** Draft of each part. Content given as text has no parts. */
  readonly parts: readonly number[]
  /** Draft that owns the frame, and what no other draft owns. */
  readonly frame: number
}

/**
 * A message of the assistant is an answer and then its calls; any other message is its results and then, where
 * anything else is in it or nothing at all, one instruction (rules.md 2, "Entries"). Calls and results of the
 * provider's own tools are neither to the format, and stand in the answer.
 */
export function draftOwners<Part>(
  parts: readonly Part[],
  is: {
    readonly answer: boolean
    readonly call: (part: Part) => boolean
    readonly result: (part: Part) => boolean
  },
): DraftOwners {
  if (is.answer) {
    let call = 0
    return { parts: parts.map((part) => (is.call(part) ? ++call : 0)), frame: 0 }
  }
  const results = parts.filter(is.result).length
  const hasRest = results < parts.length || results === 0
  let result = 0
  return {
    parts: parts.map((part) => (is.result(part) ? result++ : results)),
    frame: hasRest ? results : 0,
  }
}
