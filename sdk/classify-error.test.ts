import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classifyError } from './classify-error.ts'

const sentence = 'prompt is too long: 7301 tokens > 7000 maximum'
const anthropic = {
  kind: 'context',
  limit: 7_000,
  got: 7_301,
  provider: 'anthropic',
  evidence: 'anthropic.prompt',
}

function openAi(more: object = {}): object {
  return {
    error: { message: 'Too much of it.', type: 'invalid_request_error', param: null, code: null, ...more },
  }
}

describe('a typed code', () => {
  it.each([
    ['context_length_exceeded', 'context', openAi({ code: 'context_length_exceeded' })],
    ['model_max_prompt_tokens_exceeded', 'context', openAi({ code: 'model_max_prompt_tokens_exceeded' })],
    ['TOO_MANY_TOKENS', 'context', { id: 'e1', error_type: 'TOO_MANY_TOKENS', message: 'Too many.' }],
    ['40303', 'context', { object: 'error', message: 'Too many.', code: 40303 }],
    ['ContextWindowExceededError', 'context', openAi({ type: 'ContextWindowExceededError', code: '400' })],
    [
      'ContextWindowExceededError',
      'context',
      openAi({ message: 'litellm.ContextWindowExceededError: litellm.BadRequestError: no more' }),
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
      openAi({ code: 413, metadata: { error_type: 'payload_too_large' } }),
    ],
    [
      'context_length_exceeded',
      'context',
      openAi({ code: 400, metadata: { error_type: 'context_length_exceeded' } }),
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
    expect(classifyError(openAi({ code: 'context_length_exceeded', message }))).toEqual({
      kind: 'context-and-output',
      limit: 900,
      got: 450,
      output: 500,
      evidence: 'code:context_length_exceeded',
    })
  })
})

describe('the status of a response', () => {
  const body = openAi({ message: sentence })

  it.each([400, 413, 422, 500, 200, undefined])('[R322] may be %s', (status) => {
    expect(classifyError(body, status === undefined ? {} : { status })).toEqual(anthropic)
  })

  it.each([401, 402, 403, 404, 408, 409, 424, 429, 502, 503, 504, 529])('[R322] is never %i', (status) => {
    expect(classifyError(body, { status })).toBeNull()
    expect(classifyError({ status, ...body })).toBeNull()
    expect(classifyError(`${status} ${sentence}`)).toBeNull()
    for (const name of ['status', 'statusCode', 'status_code', 'code'])
      expect(classifyError(Object.assign(new Error(sentence), { [name]: status }))).toBeNull()
    expect(classifyError({ name: 'X', message: sentence, $metadata: { httpStatusCode: status } })).toBeNull()
  })

  it('[R322] is that of the provider where a gateway passes its error on', () => {
    const inner = JSON.stringify({ object: 'error', message: sentence, code: 400 })
    expect(classifyError({ message: `ConnectionError: ${inner}`, code: 502 }, { status: 502 })).toEqual(
      anthropic,
    )
    expect(classifyError(openAi({ code: 400, message: `429 ${sentence}` }))).toBeNull()
  })

  it('[R322] says by itself that a body is too large', () => {
    expect(classifyError('', { status: 413 })).toEqual({ kind: 'request-bytes', evidence: 'status:413' })
    expect(classifyError(new Error('413 status code (no body)'))).toEqual({
      kind: 'request-bytes',
      evidence: 'status:413',
    })
    expect(classifyError('', { status: 400 })).toBeNull()
    expect(classifyError(openAi({ message: 'This image is too large.' }), { status: 413 })).toBeNull()
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
    expect(classifyError(openAi({ message: sentence }), { provider: 'aws' })).toEqual({
      ...anthropic,
      provider: 'aws',
    })
    expect(classifyError(openAi({ code: 'context_length_exceeded' }), { provider: 'azure' })?.provider).toBe(
      'azure',
    )
  })
})

describe('what a proxy passes on', () => {
  const body = { type: 'error', error: { type: 'invalid_request_error', message: sentence } }
  const json = JSON.stringify(body)
  const python = `{'error': {'message': "prompt is too long: 7301 tokens > 7000 maximum", 'param': None, 'ok': False, 'code': 400}}`

  it.each<[string, unknown]>([
    ['text of a body', json],
    ['a list with a body', [{ error: { code: 400, message: sentence, status: 'INVALID_ARGUMENT' } }]],
    ['a body in a message', { error: { message: json, code: 400, status: 'Bad Request' } }],
    ['a body in a body in a message', new Error(JSON.stringify({ error: { message: json } }))],
    [
      "OpenRouter's raw text",
      openAi({ message: 'Provider returned error', code: 400, metadata: { raw: json } }),
    ],
    [
      "OpenRouter's raw body",
      openAi({ message: 'Provider returned error', code: 400, metadata: { raw: body } }),
    ],
    ['a body as Python prints it', python],
    ['the message of an SDK for Python', `Error code: 400 - ${python}`],
    [
      "LiteLLM's message",
      openAi({ message: `litellm.BadRequestError: AnthropicException - ${json}`, code: '400' }),
    ],
    [
      "LiteLLM's message with bytes",
      openAi({ message: `litellm.BadRequestError: VertexAIException BadRequestError - b'${json}'` }),
    ],
    [
      "LiteLLM's message with its own words after it",
      openAi({
        message: `litellm.BadRequestError: AnthropicException - ${json}. Received Model Group=claude`,
      }),
    ],
    [
      "LiteLLM's message for text",
      openAi({ message: `litellm.BadRequestError: AnthropicError: AnthropicException - ${sentence}` }),
    ],
    [
      "AWS's message",
      new Error(
        `An error occurred (ValidationException) when calling the InvokeModel operation: The model returned the following errors: ${sentence}`,
      ),
    ],
    [
      "AWS's message after attempts",
      `An error occurred (ValidationException) when calling the Converse operation (reached max retries: 2): ${sentence}`,
    ],
    [
      'the message of an older SDK of Google',
      `[GoogleGenerativeAI Error]: Error fetching from https://example.test/v1: [400 Bad Request] ${sentence}`,
    ],
    ['the message of another SDK of Google', `got status: 400 Bad Request. ${json}`],
    ["DashScope's message", openAi({ message: `<400> InternalError.Algo.InvalidParameter: ${sentence}` })],
    ['a text for an error', { error: sentence }],
    ["FastAPI's detail", { detail: sentence }],
    ["FastAPI's detail with a body", { detail: body }],
    [
      "AWS's fields",
      { errorType: 'ValidationException', errorMessage: sentence, $metadata: { httpStatusCode: 400 } },
    ],
  ])('[R321, R322] is read from %s', (_what, error) => {
    expect(classifyError(error, { status: 400 })).toEqual(anthropic)
    expect(classifyError(error)).toEqual(anthropic)
  })
})

describe('what is thrown', () => {
  const body = { error: { message: sentence } }

  it.each<[string, object]>([
    ['data', { data: body }],
    ['responseBody', { responseBody: JSON.stringify(body) }],
    ['body', { body: JSON.stringify(body) }],
    ['body', { body }],
    ['error', { error: body }],
    ['response', { response: { status: 400, data: body, error: body.error } }],
    ['cause', { cause: Object.assign(new Error('no'), { data: body }) }],
    ['lastError', { lastError: new Error(sentence), errors: [new Error('429 no')] }],
    ['errors', { errors: [new Error('429 no'), new Error(sentence)] }],
    ['error_message', { error: { raw: { error_message: sentence } } }],
  ])('[R322] is read in its %s', (_field, fields) => {
    expect(classifyError(Object.assign(new Error('It failed.'), { status: 400, ...fields }))).toEqual(
      anthropic,
    )
  })
})

describe('what the app or the user wrote', () => {
  const words = `${sentence}. context_length_exceeded`
  const request = {
    model: 'm',
    message: words,
    error: words,
    system: words,
    prompt: words,
    messages: [{ role: 'user', type: 'context_length_exceeded', content: words, message: words }],
    input: words,
  }
  const json = JSON.stringify({ error: { message: sentence, code: 'context_length_exceeded' } })

  it.each<[string, unknown]>([
    ['the request beside an error', { ...openAi(), request, body: request, data: request, input: words }],
    [
      'the request inside an error',
      openAi({ request, body: request, param: words, value: words, received: request }),
    ],
    [
      "FastAPI's list of what is wrong",
      { detail: [{ loc: ['body', 'messages'], msg: 'Field required', input: words }], body: request },
    ],
    [
      'the request of an error that was thrown',
      Object.assign(new Error('bad'), { requestBodyValues: request, request, config: { data: json } }),
    ],
    [
      'words that a message repeats',
      openAi({ message: `Invalid value: '${words}'. Supported values are: 'a'.` }),
    ],
    ['words that a message begins with', openAi({ message: `"${sentence}" is not a role` })],
    ['JSON that a message repeats', openAi({ message: `Could not parse ${json}` })],
    ['JSON that a message begins with', openAi({ message: `${json} is not a valid request` })],
    ['JSON that a message begins with behind a status', new Error(`400 ${json} is not a valid request`)],
    ['bytes that a message begins with', new Error(`b'${json}' is not a valid request`)],
    ['a code in words', openAi({ message: 'context_length_exceeded is what you wrote' })],
    ['a code as a parameter', openAi({ param: 'context_length_exceeded' })],
    [
      'an answer',
      { id: 'm1', content: [{ type: 'text', text: words }], choices: [{ message: { content: words } }] },
    ],
  ])('[R322] is never read: %s', (_what, error) => {
    expect(classifyError(error, { status: 400 })).toBeNull()
  })
})

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
      openAi({ message, code: 'context_length_exceeded' }),
      openAi({ message: `litellm.ContextWindowExceededError: ${message}` }),
      openAi({ message, type: 'request_too_large' }),
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
    expect(classifyError(openAi({ message: sentence, code }))).toBeNull()
    expect(classifyError(openAi({ message: sentence, metadata: { error_type: code } }))).toBeNull()
    expect(classifyError(openAi({ message: sentence, details: { error_code: code } }))).toBeNull()
    for (const name of ['name', 'type', 'status', 'errorType'])
      expect(classifyError({ message: sentence, [name]: code })).toBeNull()
  })

  it('[R322] is none by the name under which a proxy passes it on', () => {
    expect(
      classifyError(openAi({ message: `litellm.RateLimitError: AnthropicException - ${sentence}` })),
    ).toBeNull()
    expect(
      classifyError(
        `An error occurred (ThrottlingException) when calling the Converse operation: ${sentence}`,
      ),
    ).toBeNull()
  })
})

describe('an error of any shape', () => {
  const cycle: Record<string, unknown> = { code: 400 }
  Object.assign(cycle, { error: cycle, cause: cycle, errors: [cycle] })
  const throwing = new Proxy(new Error('no'), {
    get: () => {
      throw new Error('read')
    },
  })
  const endless: object = new Proxy(new Error('no'), {
    get: (_, name) => (name === 'message' ? '' : endless),
  })
  const { proxy: revoked, revoke } = Proxy.revocable([], {})
  revoke()

  it.each<[string, unknown]>([
    ['nothing', undefined],
    ['null', null],
    ['a number', 400],
    ['a symbol', Symbol('x')],
    ['a function', () => sentence],
    ['a cycle', cycle],
    ['fields that cannot be read', throwing],
    ['fields without an end', endless],
    ['what is gone', revoked],
    ['deep lists', JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)],
    ['deep text', `${'['.repeat(90_000)}`],
    ['deep errors', Array.from({ length: 500 }).reduce((error) => ({ error }), { message: sentence })],
    ['a list that lies about its length', Object.assign([], { length: 4_294_967_295 })],
    ['text of spaces', ' '.repeat(10_000_000)],
    ['long text', 'prompt is too long: '.repeat(500_000)],
    ['long text that is nearly JSON', `{"error": {"message": "${'\\'.repeat(2_000_000)}`],
    ['a long message', { error: { message: `${'9'.repeat(10_000_000)}` } }],
    ['a long code', { error: { code: 'context_length_exceeded'.repeat(100_000) } }],
    ['words that are nearly wrapped', 'Error'.repeat(2_000_000)],
    ['many wrappers', `400 ${'litellm.BadRequestError: '.repeat(100_000)}${sentence}`],
  ])('says nothing and takes no time: %s', (_what, error) => {
    const started = performance.now()
    expect(classifyError(error, { status: 400 })).toBeNull()
    expect(performance.now() - started).toBeLessThan(500)
  })

  it('says what it says beside fields that cannot be read', () => {
    const error = Object.defineProperty({ error: { message: sentence } }, 'message', {
      get: () => {
        throw new Error('read')
      },
    })
    expect(classifyError(error)).toEqual(anthropic)
  })

  it('says nothing where it is made of any words (seed 11)', () => {
    const words = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc
        .array(
          fc.constantFrom(
            'tokens',
            'prompt',
            'context',
            'length',
            'maximum',
            'exceeds',
            '8192',
            'is',
            'too',
            'long',
            'limit',
            ':',
            '>',
          ),
          { maxLength: 12 },
        )
        .map((parts) => parts.join(' ')),
    )
    const error = fc.oneof(
      words,
      words.map((message) => new Error(message)),
      words.map((message) => openAi({ message })),
      words.map((message) => openAi({ message: JSON.stringify({ error: { message } }) })),
      fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withNullPrototype: true,
        withSparseArray: true,
      }),
    )
    fc.assert(
      fc.property(error, (value) => {
        expect(classifyError(value, { status: 400 })).toBeNull()
      }),
      { seed: 11, numRuns: 2_000 },
    )
  })

  it('says the same wherever a request is repeated in it (seed 12)', () => {
    const echo = fc.dictionary(
      fc.constantFrom(
        'request',
        'body',
        'input',
        'messages',
        'contents',
        'config',
        'param',
        'value',
        'params',
      ),
      fc.oneof(fc.constant(sentence), fc.jsonValue(), fc.constant({ message: sentence })),
    )
    fc.assert(
      fc.property(echo, echo, (around, inside) => {
        expect(classifyError({ ...around, error: { message: 'No.', ...inside } }, { status: 400 })).toBeNull()
      }),
      { seed: 12, numRuns: 300 },
    )
  })
})
