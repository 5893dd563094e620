/**
 * Codes of errors about something else that is too much: how much in a minute, of what was paid for, of output, of
 * one field, one image or one list.
 */
const codes: ReadonlySet<string> = new Set([
  'rate_limit_exceeded',
  'rate_limit_error',
  'RateLimitError',
  'RateLimitReached',
  'ThrottlingException',
  'RESOURCE_EXHAUSTED',
  'insufficient_quota',
  // A budget of OpenRouter's, by credit.
  'token_limit_exceeded',
  'max_tokens_exceeded',
  'max_tokens_per_request',
  'string_above_max_length',
  'string_too_long',
  'image_too_large',
  'image_dimensions_too_large',
  'available_tools_limit_exceeded',
  'ramp_limit_exceeded',
])

/** Sentences about the same, some of which begin as those of overflows do, and which proxies give the same code. */
const sentences: readonly RegExp[] = [
  /\btokens per (?:min|minute|day)\b/i,
  /\brate limit/i,
  /\bquota exceeded\b|\bexceeded your current quota\b/i,
  /\bplease wait before trying again\b/i,
  /\brequires more credits\b/i,
  /^[`']?max_(?:completion_|output_|new_)?tokens[`']?(?:: \d+ >| \(\d+\) exceeds| is too large: \d+\. this model supports| must)/i,
  /^(?:input validation error: )?`max_new_tokens` must be/i,
  /^too many tokens: max tokens must be/i,
  /^too many tokens in batch\b/i,
  /\bphysical batch size\b/i,
  /^requested \d+ tokens, max \d+ tokens per request/i,
  /\bstring too long\b/i,
  /\bPDF pages\b/,
]

/** Whether an error is about another limit, which a shorter history would not mend. */
export function isLookAlike({
  codes: said,
  message,
}: {
  readonly codes: readonly string[]
  readonly message: string
}): boolean {
  return said.some((code) => codes.has(code)) || sentences.some((sentence) => sentence.test(message))
}
