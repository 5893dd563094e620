/**
 * What stands ahead of an error's own words where it is passed on. Must begin at the start; groups: `status`, and
 * `code`, which names a kind of error.
 */
const wrappers: readonly RegExp[] = [
  // SDKs put the status ahead of the message.
  /^(?:error code: )?(?<status>[45]\d\d)(?: - | )/i,
  /^got status: (?<status>[45]\d\d) [A-Za-z_ ]{0,40}\. /i,
  /^\[GoogleGenerativeAI Error\]: Error fetching from \S{1,300}: \[(?<status>\d{3})[^\]]{0,40}\] /,
  /^<(?<status>[45]\d\d)> /,
  /^InternalError\.Algo\.InvalidParameter: /,
  /^An error occurred \((?<code>\w{1,60})\) when calling the \w{1,60} operation(?: \([^)]{0,60}\))?: /,
  /^The model returned the following errors: /,
  // LiteLLM names each exception that it went through.
  /^(?:\w{1,40}\.){0,3}(?<code>\w{1,60}(?:Error|Exception)): ?/,
  /^\w{1,40}Exception(?: \w{1,40}Error)? - /,
]

/** Wrappers of wrappers; nobody passes an error on more often. */
const MOST_WRAPPERS = 8

export interface UnwrappedText {
  /** The error's own words, or the JSON text of one. */
  readonly text: string
  /** As the innermost wrapper says. */
  readonly status?: number
  readonly codes: readonly string[]
}

/** An error's own words, without what those who passed it on put ahead of them. */
export function unwrapText(wrapped: string): UnwrappedText {
  let text = wrapped.trimStart()
  let status: number | undefined
  const codes: string[] = []
  for (let count = 0; count < MOST_WRAPPERS; count++) {
    const match = firstMatch(text)
    if (match === null) break
    text = text.slice(match[0].length)
    if (match.groups?.status !== undefined) status = Number(match.groups.status)
    if (match.groups?.code !== undefined) codes.push(match.groups.code)
  }
  return { text, codes, ...(status === undefined ? {} : { status }) }
}

function firstMatch(text: string): RegExpExecArray | null {
  for (const wrapper of wrappers) {
    const match = wrapper.exec(text)
    if (match !== null) return match
  }
  return null
}
