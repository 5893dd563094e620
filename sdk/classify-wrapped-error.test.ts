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
    ['response', { response: { status: 400, data: body } }],
    ['response', { response: { error: body.error } }],
    ['cause', { cause: Object.assign(new Error('no'), { data: body }) }],
    ['lastError', { lastError: new Error(sentence), errors: [new Error('429 no')] }],
    ['errors', { errors: [new Error('429 no'), new Error(sentence)] }],
    ['error_message', { error: { message: 'No.', metadata: { raw: { error_message: sentence } } } }],
  ])('[R322] is read in its %s', (_field, fields) => {
    expect(classifyError(Object.assign(new Error('It failed.'), { status: 400, ...fields }))).toEqual(
      anthropic,
    )
  })
})

describe('the status of what is thrown', () => {
  it('[R322] may be that of the response in it', () => {
    const response = { status: 429, data: { error: { message: sentence } } }
    expect(classifyError(Object.assign(new Error('It failed.'), { response }))).toBeNull()
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
    ['a code as a parameter', openAi({ param: 'context_length_exceeded' })],
    [
      'an answer',
      { id: 'm1', content: [{ type: 'text', text: words }], choices: [{ message: { content: words } }] },
    ],
  ])('[R322] is never read: %s', (_what, error) => {
    expect(classifyError(error, { status: 400 })).toBeNull()
  })
})
