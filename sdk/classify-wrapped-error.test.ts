import { describe, expect, it } from 'vitest'
import { classifyError } from './classify-error.ts'
import { lengthFacts, lengthSentence, openAiError } from './testing/length-errors.ts'

describe('what a proxy passes on', () => {
  const body = { type: 'error', error: { type: 'invalid_request_error', message: lengthSentence } }
  const json = JSON.stringify(body)
  const python = `{'error': {'message': "prompt is too long: 7301 tokens > 7000 maximum", 'param': None, 'ok': False, 'code': 400}}`

  it.each<[string, unknown]>([
    ['text of a body', json],
    ['a list with a body', [{ error: { code: 400, message: lengthSentence, status: 'INVALID_ARGUMENT' } }]],
    ['a body in a message', { error: { message: json, code: 400, status: 'Bad Request' } }],
    ['a body in a body in a message', new Error(JSON.stringify({ error: { message: json } }))],
    [
      "OpenRouter's raw text",
      openAiError({ message: 'Provider returned error', code: 400, metadata: { raw: json } }),
    ],
    [
      "OpenRouter's raw body",
      openAiError({ message: 'Provider returned error', code: 400, metadata: { raw: body } }),
    ],
    ['a body as Python prints it', python],
    ['the message of an SDK for Python', `Error code: 400 - ${python}`],
    [
      "LiteLLM's message",
      openAiError({ message: `litellm.BadRequestError: AnthropicException - ${json}`, code: '400' }),
    ],
    [
      "LiteLLM's message with bytes",
      openAiError({ message: `litellm.BadRequestError: VertexAIException BadRequestError - b'${json}'` }),
    ],
    [
      "LiteLLM's message with its own words after it",
      openAiError({
        message: `litellm.BadRequestError: AnthropicException - ${json}. Received Model Group=claude`,
      }),
    ],
    [
      "LiteLLM's message for text",
      openAiError({
        message: `litellm.BadRequestError: AnthropicError: AnthropicException - ${lengthSentence}`,
      }),
    ],
    [
      "AWS's message",
      new Error(
        `An error occurred (ValidationException) when calling the InvokeModel operation: The model returned the following errors: ${lengthSentence}`,
      ),
    ],
    [
      "AWS's message after attempts",
      `An error occurred (ValidationException) when calling the Converse operation (reached max retries: 2): ${lengthSentence}`,
    ],
    [
      'the message of an older SDK of Google',
      `[GoogleGenerativeAI Error]: Error fetching from https://example.test/v1: [400 Bad Request] ${lengthSentence}`,
    ],
    ['the message of another SDK of Google', `got status: 400 Bad Request. ${json}`],
    [
      "DashScope's message",
      openAiError({ message: `<400> InternalError.Algo.InvalidParameter: ${lengthSentence}` }),
    ],
    ['a text for an error', { error: lengthSentence }],
    ["FastAPI's detail", { detail: lengthSentence }],
    ["FastAPI's detail with a body", { detail: body }],
    [
      "AWS's fields",
      { errorType: 'ValidationException', errorMessage: lengthSentence, $metadata: { httpStatusCode: 400 } },
    ],
  ])('[R321, R322] is read from %s', (_what, error) => {
    expect(classifyError(error, { status: 400 })).toEqual(lengthFacts)
    expect(classifyError(error)).toEqual(lengthFacts)
  })
})

describe('what is thrown', () => {
  const body = { error: { message: lengthSentence } }

  it.each<[string, object]>([
    ['data', { data: body }],
    ['responseBody', { responseBody: JSON.stringify(body) }],
    ['body', { body: JSON.stringify(body) }],
    ['body', { body }],
    ['error', { error: body }],
    ['response', { response: { status: 400, data: body } }],
    ['response', { response: { error: body.error } }],
    ['cause', { cause: Object.assign(new Error('no'), { data: body }) }],
    ['lastError', { lastError: new Error(lengthSentence), errors: [new Error('429 no')] }],
    ['errors', { errors: [new Error('429 no'), new Error(lengthSentence)] }],
    ['error_message', { error: { message: 'No.', metadata: { raw: { error_message: lengthSentence } } } }],
  ])('[R322] is read in its %s', (_field, fields) => {
    expect(classifyError(Object.assign(new Error('It failed.'), { status: 400, ...fields }))).toEqual(
      lengthFacts,
    )
  })
})

describe('the status of what is thrown', () => {
  it('[R322] may be that of the response in it', () => {
    const response = { status: 429, data: { error: { message: lengthSentence } } }
    expect(classifyError(Object.assign(new Error('It failed.'), { response }))).toBeNull()
  })
})

describe('what the app or the user wrote', () => {
  const words = `${lengthSentence}. context_length_exceeded`
  const request = {
    model: 'm',
    message: words,
    error: words,
    system: words,
    prompt: words,
    messages: [{ role: 'user', type: 'context_length_exceeded', content: words, message: words }],
    input: words,
  }
  const json = JSON.stringify({ error: { message: lengthSentence, code: 'context_length_exceeded' } })

  it.each<[string, unknown]>([
    [
      'the request beside an error',
      { ...openAiError(), request, body: request, data: request, input: words },
    ],
    [
      'the request inside an error',
      openAiError({ request, body: request, param: words, value: words, received: request }),
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
      openAiError({ message: `Invalid value: '${words}'. Supported values are: 'a'.` }),
    ],
    ['words that a message begins with', openAiError({ message: `"${lengthSentence}" is not a role` })],
    ['JSON that a message repeats', openAiError({ message: `Could not parse ${json}` })],
    ['JSON that a message begins with', openAiError({ message: `${json} is not a valid request` })],
    ['JSON that a message begins with behind a status', new Error(`400 ${json} is not a valid request`)],
    ['bytes that a message begins with', new Error(`b'${json}' is not a valid request`)],
    ['a code in words', openAiError({ message: 'context_length_exceeded is what you wrote' })],
    [
      'what the app keeps beside a response that failed',
      {
        type: 'response.failed',
        response: { object: 'response', status: 'failed', error: { message: 'No.' }, metadata: request },
        metadata: request,
      },
    ],
    [
      'what the app keeps beside a response',
      { object: 'response', error: null, metadata: request, raw: words },
    ],
    ['the request in what has no class', Object.assign(Object.create(null), { body: { message: words } })],
    ['a code as a parameter', openAiError({ param: 'context_length_exceeded' })],
    [
      'an answer',
      { id: 'm1', content: [{ type: 'text', text: words }], choices: [{ message: { content: words } }] },
    ],
  ])('[R322] is never read: %s', (_what, error) => {
    expect(classifyError(error, { status: 400 })).toBeNull()
  })
})
