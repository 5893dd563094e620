import { describe, expect, it } from 'vitest'
import { classifyError } from './classify-error.ts'
import { lengthSentence, openAiError } from './testing/length-errors.ts'

describe('an error that looks like one of length', () => {
  const tpm = 'on tokens per minute (TPM): Limit 5000, Requested 9100, please reduce your message size.'

  it.each([
    ['rate', `Request too large for model \`some-8b\` in organization \`o\` service tier \`s\` ${tpm}`],
    ['rate', `Rate limit reached for some-model on tokens per min: Limit 5000`],
    [
      'rate',
      'This request would exceed the rate limit of 5,000 input tokens. Please reduce the prompt length.',
    ],
    ['quota', 'Quota exceeded for metric: input_token_count, limit: 5000'],
    ['quota', 'You exceeded your current quota, please check your plan.'],
    ['throttle', 'Too many tokens, please wait before trying again.'],
    ['throttle', 'Too many tokens per day, please wait before trying again.'],
    ['billing', 'This request requires more credits, or fewer max_tokens. You requested up to 900 tokens.'],
    [
      'output',
      'max_tokens: 9000 > 4096, which is the maximum allowed number of output tokens for some-model',
    ],
    ['output', "max_tokens (9000) exceeds model's maximum output tokens"],
    ['output', 'max_tokens is too large: 9000. This model supports at most 4096 completion tokens'],
    [
      'output',
      'max_completion_tokens is too large: 9000. This model supports at most 4096 completion tokens',
    ],
    ['output', '`max_tokens` must be greater than `thinking.budget_tokens`'],
    ['output', 'Input validation error: `max_new_tokens` must be <= 300'],
    ['output', 'too many tokens: max tokens must be less than or equal to 4096'],
    ['batch', 'Too many tokens in batch. Max is 5000 got 9100'],
    ['batch', 'input is too large to process. increase the physical batch size'],
    ['batch', 'Requested 9100 tokens, max 5000 tokens per request'],
    ['field', "Invalid 'user': string too long. Expected a string with maximum length 64"],
    ['field', 'string too long. Expected a string with maximum length 5000, but got one with length 9100'],
    ['document', 'A maximum of 100 PDF pages may be provided.'],
  ])('[R322] is none, by its words about %s, whatever code a proxy gives it: %s', (_what, message) => {
    for (const error of [
      openAiError({ message, code: 'context_length_exceeded' }),
      openAiError({ message: `litellm.ContextWindowExceededError: ${message}` }),
      openAiError({ message, type: 'request_too_large' }),
    ])
      for (const status of [400, 413, 429]) expect(classifyError(error, { status })).toBeNull()
  })

  it.each([
    'rate_limit_exceeded',
    'rate_limit_error',
    'RateLimitReached',
    'ThrottlingException',
    'RESOURCE_EXHAUSTED',
    'insufficient_quota',
    'token_limit_exceeded',
    'max_tokens_exceeded',
    'max_tokens_per_request',
    'string_above_max_length',
    'string_too_long',
    'image_too_large',
    'image_dimensions_too_large',
    'available_tools_limit_exceeded',
    'ramp_limit_exceeded',
  ])('[R322] is none by its code %s, whatever is said with it', (code) => {
    expect(classifyError(openAiError({ message: lengthSentence, code }))).toBeNull()
    expect(classifyError(openAiError({ message: lengthSentence, metadata: { error_type: code } }))).toBeNull()
    expect(classifyError(openAiError({ message: lengthSentence, details: { error_code: code } }))).toBeNull()
    for (const name of ['name', 'type', 'status', 'errorType'])
      expect(classifyError({ message: lengthSentence, [name]: code })).toBeNull()
  })

  it('[R322] is none by the name under which a proxy passes it on', () => {
    expect(
      classifyError(
        openAiError({ message: `litellm.RateLimitError: AnthropicException - ${lengthSentence}` }),
      ),
    ).toBeNull()
    expect(
      classifyError(
        `An error occurred (ThrottlingException) when calling the Converse operation: ${lengthSentence}`,
      ),
    ).toBeNull()
  })
})
