import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { ApiError, GoogleGenAI } from '@google/genai'
import { generateText, RetryError, streamText } from 'ai'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { classifyError } from './classify-error.ts'

const openAiBody = {
  error: {
    message:
      'Input tokens exceed the configured limit of 7000 tokens. Your messages resulted in 7301 tokens.',
    type: 'invalid_request_error',
    param: 'messages',
    code: 'context_length_exceeded',
  },
}
const anthropicBody = {
  type: 'error',
  error: { type: 'invalid_request_error', message: 'prompt is too long: 7301 tokens > 7000 maximum' },
  request_id: 'req_1',
}
const googleBody = {
  error: {
    code: 400,
    message: 'The input token count (7301) exceeds the maximum number of tokens allowed (7000).',
    status: 'INVALID_ARGUMENT',
  },
}
const facts = { kind: 'context', limit: 7_000, got: 7_301 }
const key = 'none'

type Fetch = typeof globalThis.fetch

function rejecting(body: object, status = 400): Fetch {
  return async () => Response.json(body, { status })
}

/** A response that fails after its status was sent. */
function failingStream(...events: readonly string[]): Fetch {
  return async () => new Response(events.join(''), { headers: { 'content-type': 'text/event-stream' } })
}

const event = (data: object, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`

function openAi(fetch: Fetch): OpenAI {
  return new OpenAI({ apiKey: key, fetch, maxRetries: 0 })
}

function anthropic(fetch: Fetch): Anthropic {
  return new Anthropic({ apiKey: key, fetch, maxRetries: 0 })
}

const messages = [{ role: 'user' as const, content: 'What does the book say?' }]

async function thrownBy(call: () => PromiseLike<unknown>): Promise<unknown> {
  try {
    await call()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

async function drain(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of stream);
}

const calls: readonly (readonly [
  client: string,
  call: (fetch: Fetch) => PromiseLike<unknown>,
  body: object,
])[] = [
  [
    'openai, Chat Completions',
    (fetch) => openAi(fetch).chat.completions.create({ model: 'm', messages }),
    openAiBody,
  ],
  ['openai, Responses', (fetch) => openAi(fetch).responses.create({ model: 'm', input: 'go' }), openAiBody],
  [
    '@anthropic-ai/sdk',
    (fetch) => anthropic(fetch).messages.create({ model: 'm', max_tokens: 9, messages }),
    anthropicBody,
  ],
  [
    '@google/genai',
    (fetch) =>
      new GoogleGenAI({ apiKey: key, httpOptions: { fetch } }).models.generateContent({
        model: 'm',
        contents: 'go',
      }),
    googleBody,
  ],
  [
    'ai with @ai-sdk/openai',
    (fetch) =>
      generateText({ model: createOpenAI({ apiKey: key, fetch }).chat('m'), prompt: 'go', maxRetries: 0 }),
    openAiBody,
  ],
  [
    'ai with @ai-sdk/anthropic',
    (fetch) =>
      generateText({ model: createAnthropic({ apiKey: key, fetch })('m'), prompt: 'go', maxRetries: 0 }),
    anthropicBody,
  ],
  [
    'ai with @ai-sdk/google',
    (fetch) =>
      generateText({ model: createGoogle({ apiKey: key, fetch })('m'), prompt: 'go', maxRetries: 0 }),
    googleBody,
  ],
]

describe('what a client throws', () => {
  it.each(calls)('[R321, R322] is classified by what its provider said: %s', async (_client, call, body) => {
    const error = await thrownBy(() => call(rejecting(body)))
    expect(classifyError(error)).toMatchObject(facts)
    expect(classifyError(error)).toEqual(classifyError(body, { status: 400 }))
  })

  it.each(calls)('[R322] is none for a rate limit in the same words: %s', async (_client, call, body) => {
    expect(classifyError(await thrownBy(() => call(rejecting(body, 429))))).toBeNull()
  })

  it.each(calls)('[R322] is none for another rejection: %s', async (_client, call, body) => {
    const text = JSON.stringify(body)
      .replace(/"message":"[^"]*"/, '"message":"That model is not known."')
      .replace('context_length_exceeded', 'model_not_found')
    expect(classifyError(await thrownBy(() => call(rejecting(JSON.parse(text)))))).toBeNull()
  })

  it('[R322] is none for a connection that broke', async () => {
    const broken: Fetch = async () => {
      throw new TypeError('fetch failed')
    }
    for (const [, call] of calls) expect(classifyError(await thrownBy(() => call(broken)))).toBeNull()
  })
})

describe('what a client throws in the middle of a stream', () => {
  it('[R322] is classified: openai, Chat Completions', async () => {
    const error = await thrownBy(async () =>
      drain(
        await openAi(failingStream(event(openAiBody))).chat.completions.create({
          model: 'm',
          messages,
          stream: true,
        }),
      ),
    )
    expect(classifyError(error)).toMatchObject(facts)
  })

  it('[R322] is classified: @anthropic-ai/sdk', async () => {
    const error = await thrownBy(async () =>
      drain(
        await anthropic(failingStream(event(anthropicBody, 'error'))).messages.create({
          model: 'm',
          max_tokens: 9,
          messages,
          stream: true,
        }),
      ),
    )
    expect(classifyError(error)).toMatchObject(facts)
  })

  it('[R322] is classified: ai with @ai-sdk/anthropic', async () => {
    const model = createAnthropic({ apiKey: key, fetch: failingStream(event(anthropicBody, 'error')) })('m')
    const errors: unknown[] = []
    const { stream } = streamText({ model, prompt: 'go', maxRetries: 0, onError: () => undefined })
    for await (const part of stream) if (part.type === 'error') errors.push(part, part.error)
    expect(errors).toHaveLength(2)
    for (const error of errors) expect(classifyError(error)).toMatchObject(facts)
  })
})

describe('an error event of a stream', () => {
  it.each<[string, object]>([
    ['openai-chat', openAiBody],
    ['openai-responses, the error', { ...openAiBody.error, type: 'error', sequence_number: 1 }],
    [
      'openai-responses, the failed response',
      {
        type: 'response.failed',
        response: { object: 'response', status: 'failed', instructions: 'Be kind.', error: openAiBody.error },
      },
    ],
    ['anthropic', anthropicBody],
    ['gemini', googleBody],
    ['gemini, as a list', [googleBody]],
    ['ai-sdk', { type: 'error', error: anthropicBody }],
    ['ai-sdk, as text', { type: 'error', error: JSON.stringify(anthropicBody) }],
  ])('[R322] is classified: %s', (_format, body) => {
    expect(classifyError(body)).toMatchObject(facts)
    expect(classifyError(body, { status: 200 })).toMatchObject(facts)
  })
})

describe('an error of several attempts', () => {
  const busy = Object.assign(new Error('Overloaded'), { statusCode: 529 })
  const tooLong = new ApiError({ message: JSON.stringify(googleBody), status: 400 })

  it('[R322] is what the last one came to', () => {
    const retried = (errors: unknown[]) =>
      new RetryError({ message: 'Failed after 2 attempts', reason: 'errorNotRetryable', errors })
    expect(classifyError(retried([busy, tooLong]))).toMatchObject(facts)
    expect(classifyError(retried([tooLong, busy]))).toBeNull()
    expect(classifyError(new AggregateError([busy, tooLong], 'two attempts'))).toMatchObject(facts)
    expect(classifyError(new AggregateError([tooLong, busy], 'two attempts'))).toBeNull()
  })

  it('[R322] may be the cause of another one', () => {
    expect(classifyError(new Error('the round failed', { cause: tooLong }))).toMatchObject(facts)
  })
})
