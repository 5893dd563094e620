import type { OverflowFacts } from '../engine/overflow-facts.ts'

/** Codes that say by themselves that a request is too long, and of what; their providers document or type them. */
export const overflowCodes: ReadonlyMap<string, OverflowFacts['kind']> = new Map([
  ['context_length_exceeded', 'context'],
  ['exceed_context_size_error', 'context'],
  ['model_max_prompt_tokens_exceeded', 'context'],
  ['TOO_MANY_TOKENS', 'context'],
  ['ContextWindowExceededError', 'context'],
  // FastChat's, which numbers its errors.
  ['40303', 'context'],
  ['request_too_large', 'request-bytes'],
  ['request_body_too_large_after_decoding', 'request-bytes'],
  ['payload_too_large', 'request-bytes'],
])
