import { APICallError, generateText, streamText, wrapLanguageModel } from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import { generateText as generateText6, wrapLanguageModel as wrapLanguageModel6 } from 'ai-6'
import { MockLanguageModelV3 } from 'ai-6/test'
import { describe, expect, it } from 'vitest'
import { dogearMiddleware } from './ai-sdk.ts'
import type { ContextPolicy } from './engine/policy.ts'
import { InputCeilingError } from './errors.ts'
import { openTestBranch, type TestBranch } from './testing/open-branch.ts'

const usage = (total: number) => ({
  inputTokens: { total, noCache: total, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 3, text: 3, reasoning: 0 },
})

const answer = (text: string) => ({
  content: [{ type: 'text' as const, text }],
  finishReason: { unified: 'stop' as const, raw: 'stop' },
  usage: usage(40),
  warnings: [],
})

const words = (place: number): string =>
  Array.from({ length: 60 }, (_, word) => `word${(word * 7 + place) % 97}`).join(' ')

const talk = (turns: number) =>
  Array.from({ length: turns * 2 - 1 }, (_, place) =>
    place % 2 === 0
      ? { role: 'user' as const, content: words(place) }
      : { role: 'assistant' as const, content: words(place) },
  )

const tooLong = () =>
  new APICallError({
    message: 'too long',
    url: 'https://provider.test',
    requestBodyValues: {},
    statusCode: 400,
    responseBody: JSON.stringify({
      error: {
        message: 'Input is too long.',
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
      },
    }),
    isRetryable: false,
  })

type Options = Parameters<MockLanguageModelV4['doGenerate']>[0]

type Streamed = Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream']

type StreamPart = Streamed extends ReadableStream<infer Part> ? Part : never

const asksForSummary = ({ prompt }: Options): boolean =>
  JSON.stringify(prompt).includes('You write the record that stands')

async function open(policy: ContextPolicy = { maxInputTokens: 'none' }): Promise<TestBranch> {
  return openTestBranch({ policy })
}

/** A model that takes so many messages, and writes summaries. */
function modelOf(mostMessages: number): MockLanguageModelV4 {
  const reject = (options: Options): void => {
    if (!asksForSummary(options) && options.prompt.length > mostMessages) throw tooLong()
  }
  return new MockLanguageModelV4({
    doGenerate: async (options) => {
      reject(options)
      return answer(asksForSummary(options) ? 'They counted.' : 'Heard.')
    },
    doStream: async (options) => {
      const isTooLong = options.prompt.length > mostMessages
      const chunks: StreamPart[] = isTooLong
        ? [
            { type: 'stream-start', warnings: [] },
            { type: 'error', error: tooLong() },
          ]
        : [
            { type: 'stream-start', warnings: [] },
            { type: 'text-start', id: '1' },
            { type: 'text-delta', id: '1', delta: 'Heard.' },
            { type: 'text-end', id: '1' },
            { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: usage(40) },
          ]
      return { stream: simulateReadableStream({ chunks, chunkDelayInMs: null, initialDelayInMs: null }) }
    },
  })
}

const wrapped = (test: TestBranch, model: MockLanguageModelV4) =>
  wrapLanguageModel({ model, middleware: dogearMiddleware(test.branch) })

describe('the middleware', () => {
  it('[R15, R82] hands over the very call where nothing is changed, and settles it', async () => {
    const test = await open()
    const model = modelOf(100)
    await generateText({ model: wrapped(test, model), messages: talk(2) })
    expect(model.doGenerateCalls[0]?.prompt).toHaveLength(3)
    const { settlements, decisions } = await test.branch.journal()
    expect(decisions).toMatchObject([{ format: 'ai-sdk', action: 'pass' }])
    expect(settlements).toMatchObject([{ outcome: 'completed', usage: { input: 40 } }])
  })

  it('[R51, R55] throws what a refusal says, and sends nothing', async () => {
    const test = await open({ maxInputTokens: 30 })
    const model = modelOf(100)
    const call = generateText({ model: wrapped(test, model), messages: talk(2), maxRetries: 0 })
    await expect(call).rejects.toBeInstanceOf(InputCeilingError)
    expect(model.doGenerateCalls).toHaveLength(0)
  })

  it('[R321, R347, R363] goes on where the model says that the call is too long, once', async () => {
    const test = await open()
    const model = modelOf(12)
    for (const turns of [2, 4, 6]) await generateText({ model: wrapped(test, model), messages: talk(turns) })
    const before = model.doGenerateCalls.length
    const { text } = await generateText({ model: wrapped(test, model), messages: talk(9) })
    expect(text).toBe('Heard.')
    expect(model.doGenerateCalls.slice(before)).toHaveLength(3)
    expect(JSON.stringify(model.doGenerateCalls.at(-1)?.prompt)).toContain('They counted.')
  })

  it('[R322, R363] goes on within a stream that fails before it says anything', async () => {
    const test = await open()
    const model = modelOf(12)
    for (const turns of [2, 4, 6])
      await streamText({ model: wrapped(test, model), messages: talk(turns) }).text
    const { text } = streamText({ model: wrapped(test, model), messages: talk(9) })
    expect(await text).toBe('Heard.')
    expect(model.doStreamCalls).toHaveLength(5)
    const { settlements } = await test.branch.journal()
    expect(settlements.map(({ outcome }) => outcome)).toEqual([
      'completed',
      'completed',
      'completed',
      'failed',
      'completed',
    ])
  })

  it('[R84] settles a stream that its app has enough of as aborted', async () => {
    const test = await open()
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: words(1) }] }]
    const { stream } = await wrapped(test, modelOf(100)).doStream({ prompt })
    const reader = stream.getReader()
    await reader.read()
    await reader.cancel()
    expect((await test.branch.journal()).settlements).toMatchObject([{ outcome: 'aborted' }])
  })

  it('leaves an error of the model to the app, settled as failed', async () => {
    const test = await open()
    const model = new MockLanguageModelV4({
      doGenerate: async () => {
        throw new Error('down')
      },
    })
    await expect(
      generateText({ model: wrapped(test, model), messages: talk(1), maxRetries: 0 }),
    ).rejects.toThrow('down')
    expect((await test.branch.journal()).settlements).toMatchObject([{ outcome: 'failed' }])
  })

  it('lets go of the other stream where its app stops reading while that is on its way', async () => {
    const test = await open()
    let isLeft = false
    const model = modelOf(12)
    for (const turns of [2, 4, 6])
      await streamText({ model: wrapped(test, model), messages: talk(turns) }).text
    let goOn = (): void => undefined
    const isCancelled = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let isAsked = false
    const doGenerate = model.doGenerate.bind(model)
    model.doGenerate = async (options) => {
      isAsked = true
      await isCancelled
      return doGenerate(options)
    }
    const doStream = model.doStream.bind(model)
    model.doStream = async (options) => {
      const result = await doStream(options)
      const reader = result.stream.getReader()
      const stream = new ReadableStream<StreamPart>({
        async pull(controller) {
          const { done, value } = await reader.read()
          if (done) controller.close()
          else controller.enqueue(value)
        },
        cancel() {
          if (options.prompt.length <= 12) isLeft = true
        },
      })
      return { ...result, stream }
    }
    const prompt = talk(9).map(({ role, content }) => ({
      role,
      content: [{ type: 'text' as const, text: content }],
    }))
    const { stream } = await wrapped(test, model).doStream({ prompt })
    const reader = stream.getReader()
    await reader.read()
    const waiting = reader.read().catch(() => undefined)
    await expect.poll(() => isAsked).toBe(true)
    await reader.cancel()
    goOn()
    await waiting
    await expect.poll(() => isLeft).toBe(true)
    await expect.poll(async () => (await test.branch.journal()).settlements.at(-1)?.outcome).toBe('aborted')
  })

  it('wraps models of version 3, as the AI SDK 6 has them', async () => {
    const test = await open()
    const model = new MockLanguageModelV3({ doGenerate: async () => answer('Heard.') })
    const middleware = dogearMiddleware(test.branch, { specificationVersion: 'v3' }) as never
    const { text } = await generateText6({
      model: wrapLanguageModel6({ model, middleware }),
      messages: talk(2),
    })
    expect(text).toBe('Heard.')
    expect((await test.branch.journal()).settlements).toMatchObject([
      { outcome: 'completed', usage: { input: 40 } },
    ])
  })
})
