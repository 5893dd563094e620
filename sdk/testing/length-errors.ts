import type { OverflowFacts } from '../engine/overflow-facts.ts'

/** A sentence about length, as one provider says it. */
export const lengthSentence = 'prompt is too long: 7301 tokens > 7000 maximum'

/** What it says. */
export const lengthFacts: OverflowFacts = {
  kind: 'context',
  limit: 7_000,
  got: 7_301,
  provider: 'anthropic',
  evidence: 'anthropic.prompt',
}

/** The body of an error in OpenAI's form, whose words say nothing. */
export function openAiError(more: object = {}): object {
  return {
    error: { message: 'Too much of it.', type: 'invalid_request_error', param: null, code: null, ...more },
  }
}
