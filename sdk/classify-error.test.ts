import { describe, expect, it } from 'vitest'
import { classifyError } from './classify-error.ts'
import { lengthFacts, lengthSentence, openAiError } from './testing/length-errors.ts'

describe('a typed code', () => {
  it.each([
    ['context_length_exceeded', 'context', openAiError({ code: 'context_length_exceeded' })],
    [
      'model_max_prompt_tokens_exceeded',
      'context',
      openAiError({ code: 'model_max_prompt_tokens_exceeded' }),
    ],
    ['TOO_MANY_TOKENS', 'context', { id: 'e1', error_type: 'TOO_MANY_TOKENS', message: 'Too many.' }],
    ['40303', 'context', { object: 'error', message: 'Too many.', code: 40303 }],
    [
      'ContextWindowExceededError',
      'context',
      openAiError({ type: 'ContextWindowExceededError', code: '400' }),
    ],
    [
      'ContextWindowExceededError',
      'context',
      openAiError({ message: 'litellm.ContextWindowExceededError: litellm.BadRequestError: no more' }),
    ],
    [
      'request_too_large',
      'request-bytes',
      { type: 'error', error: { type: 'request_too_large', message: 'No.' } },
    ],
    [
      'request_body_too_large_after_decoding',
      'request-bytes',
      {
        type: 'error',
        error: {
          type: 'invalid_request_error',
          message: 'No.',
          details: { error_code: 'request_body_too_large_after_decoding' },
        },
      },
    ],
    [
      'payload_too_large',
      'request-bytes',
      openAiError({ code: 413, metadata: { error_type: 'payload_too_large' } }),
    ],
    [
      'context_length_exceeded',
      'context',
      openAiError({ code: 400, metadata: { error_type: 'context_length_exceeded' } }),
    ],
  ])('[R321, R322] %s tells by itself', (code, kind, body) => {
    expect(classifyError(body, { status: 400 })).toEqual({ kind, evidence: `code:${code}` })
  })

  it('[R321] brings the numbers that its server types beside it, else those of its words', () => {
    const error = { code: 400, type: 'exceed_context_size_error', n_ctx: 4_096, n_prompt_tokens: 5_000 }
    const evidence = 'code:exceed_context_size_error'
    expect(classifyError({ error: { ...error, message: 'too long' } })).toEqual({
      kind: 'context',
      limit: 4_096,
      got: 5_000,
      evidence,
    })
    expect(classifyError({ error: { ...error, n_ctx: '4096', n_prompt_tokens: -1 } })).toEqual({
      kind: 'context',
      evidence,
    })
    const message =
      "This model's maximum context length is 900 tokens. However, you requested 950 tokens (450 in the messages, 500 in the completion)."
    expect(classifyError(openAiError({ code: 'context_length_exceeded', message }))).toEqual({
      kind: 'context-and-output',
      limit: 900,
      got: 450,
      output: 500,
      evidence: 'code:context_length_exceeded',
    })
  })
})

describe('the status of a response', () => {
  const body = openAiError({ message: lengthSentence })

  it.each([400, 413, 422, 500, 200, undefined])('[R322] may be %s', (status) => {
    expect(classifyError(body, status === undefined ? {} : { status })).toEqual(lengthFacts)
  })

  it.each([401, 402, 403, 404, 408, 409, 424, 429, 502, 503, 504, 529])('[R322] is never %i', (status) => {
    expect(classifyError(body, { status })).toBeNull()
    expect(classifyError({ status, ...body })).toBeNull()
    expect(classifyError(`${status} ${lengthSentence}`)).toBeNull()
    for (const name of ['status', 'statusCode', 'status_code', 'code'])
      expect(classifyError(Object.assign(new Error(lengthSentence), { [name]: status }))).toBeNull()
    expect(
      classifyError({ name: 'X', message: lengthSentence, $metadata: { httpStatusCode: status } }),
    ).toBeNull()
  })

  it('[R322] is that of the provider where a gateway passes its error on', () => {
    const inner = JSON.stringify({ object: 'error', message: lengthSentence, code: 400 })
    expect(classifyError({ message: `ConnectionError: ${inner}`, code: 502 }, { status: 502 })).toEqual(
      lengthFacts,
    )
    expect(classifyError(openAiError({ code: 400, message: `429 ${lengthSentence}` }))).toBeNull()
  })

  it('[R322] says by itself that a body is too large', () => {
    expect(classifyError('', { status: 413 })).toEqual({ kind: 'request-bytes', evidence: 'status:413' })
    expect(classifyError(new Error('413 status code (no body)'))).toEqual({
      kind: 'request-bytes',
      evidence: 'status:413',
    })
    expect(classifyError('', { status: 400 })).toBeNull()
    expect(classifyError(openAiError({ message: 'This image is too large.' }), { status: 413 })).toBeNull()
  })

  it('[R321] is all that one provider says', () => {
    const hint = { provider: 'cerebras' }
    const facts = { kind: 'context', provider: 'cerebras' }
    expect(classifyError('', { ...hint, status: 413 })).toEqual({ ...facts, evidence: 'status:413' })
    expect(classifyError(new Error('400 status code (no body)'), hint)).toEqual({
      ...facts,
      evidence: 'status:400',
    })
    expect(classifyError('', { ...hint, status: 429 })).toBeNull()
  })
})

describe('the provider of the facts', () => {
  it('is the one that is known to have answered, whoever else says the same', () => {
    expect(classifyError(openAiError({ message: lengthSentence }), { provider: 'aws' })).toEqual({
      ...lengthFacts,
      provider: 'aws',
    })
    expect(
      classifyError(openAiError({ code: 'context_length_exceeded' }), { provider: 'azure' })?.provider,
    ).toBe('azure')
  })
})
