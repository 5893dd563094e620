import { describe, expect, it } from 'vitest'
import { classifyError } from '../../classify-error.ts'
import type { JsonObject } from '../../engine/json.ts'
import { loadTokenizer } from '../../tokenizer.ts'
import { ask, type Spoken, spoken } from './ask-provider.ts'
import type { OverflowStyle, ProviderModel } from './model.ts'
import { createProvider, type Provider } from './provider.ts'

const { count } = await loadTokenizer()

const text = Array.from({ length: 120 }, (_, word) => `word${word % 17}`).join(' ')
const OUTPUT = 40

const requests: Readonly<Record<Spoken, JsonObject>> = {
  'openai-chat': {
    model: 'm',
    stream_options: { include_usage: true },
    max_completion_tokens: OUTPUT,
    messages: [{ role: 'user', content: text }],
  },
  'openai-responses': { model: 'm', max_output_tokens: OUTPUT, input: text },
  anthropic: { model: 'm', max_tokens: OUTPUT, messages: [{ role: 'user', content: text }] },
  gemini: {
    model: 'm',
    generationConfig: { maxOutputTokens: OUTPUT },
    contents: [{ role: 'user', parts: [{ text }] }],
  },
}

const open = (model: ProviderModel): Provider =>
  createProvider({ models: { m: model }, count, answer: () => ({ text: 'Yes.' }) })

/** What the request comes to in the model's own tokens. */
async function sizeOf(format: Spoken): Promise<number> {
  const provider = open({ window: 1_000_000, factor: 1.25 })
  await ask(provider, format, requests[format])
  return provider.requests[0]?.input ?? 0
}

/** What the words tell of a limit and of a request's size. */
type Told = (limit: number, got: number) => object

const both: Told = (limit, got) => ({ kind: 'context', limit, got, output: undefined })
const neither: Told = () => ({ kind: 'context', limit: undefined, got: undefined, output: undefined })
const withOutput: Told = (limit, got) => ({ kind: 'context-and-output', limit, got, output: OUTPUT })

const words: readonly (readonly [Spoken, OverflowStyle | undefined, Told])[] = [
  ['openai-chat', undefined, both],
  ['openai-chat', 'openai', both],
  ['openai-chat', 'openai-classic', withOutput],
  ['openai-chat', 'llama.cpp', both],
  ['openai-chat', 'without-numbers', neither],
  ['openai-responses', undefined, neither],
  ['openai-responses', 'responses', neither],
  ['openai-responses', 'openai', both],
  ['anthropic', undefined, both],
  ['anthropic', 'anthropic', both],
  ['gemini', undefined, both],
  ['gemini', 'gemini', both],
  ['gemini', 'without-numbers', (limit) => ({ ...neither(0, 0), limit })],
]

function told(error: unknown, status: number): object | null {
  const facts = classifyError(error, { status })
  if (facts === null) return null
  const { kind, limit, got, output } = facts
  return { kind, limit, got, output }
}

const modes = [
  ['whole', false],
  ['streamed', true],
] as const

const modelOf = (window: number, overflow: OverflowStyle | undefined): ProviderModel => ({
  window,
  factor: 1.25,
  ...(overflow === undefined ? {} : { overflow }),
})

describe.each(modes)('a request that is too long, %s', (_, stream) => {
  it.each(words)('[R321, R322] is rejected by %s in the words of %s', async (format, style, expected) => {
    const size = await sizeOf(format)
    const request = { ...requests[format], stream }
    expect((await ask(open(modelOf(size, style)), format, request)).status).toBe(200)
    const provider = open(modelOf(size - 1, style))
    const rejected = await ask(provider, format, request)
    expect(rejected.status).toBe(400)
    expect(told(await rejected.json(), 400)).toEqual(expected(size - 1, size))
    expect(provider.requests.map(({ status, input }) => [status, input])).toEqual([[400, size]])
  })

  it('[R321, R322] is rejected by Anthropic with its output, where that counts', async () => {
    const size = await sizeOf('anthropic')
    const request = { ...requests.anthropic, stream }
    const fits = open(modelOf(size + OUTPUT, 'anthropic-with-output'))
    expect((await ask(fits, 'anthropic', request)).status).toBe(200)
    const limit = size + OUTPUT - 1
    const rejected = await ask(open(modelOf(limit, 'anthropic-with-output')), 'anthropic', request)
    expect(rejected.status).toBe(400)
    expect(told(await rejected.json(), 400)).toEqual(withOutput(limit, size))
  })

  it.each(spoken)('is cut by %s without a word, where the server does that', async (format) => {
    const size = await sizeOf(format)
    const provider = open({ window: size - 20, factor: 1.25, truncatesSilently: true })
    const response = await ask(provider, format, { ...requests[format], stream })
    expect(response.status).toBe(200)
    expect(await response.text()).toMatch(
      new RegExp(`(prompt_tokens|input_tokens|promptTokenCount)":${size - 20}\\b`),
    )
    expect(provider.requests.map(({ status, input }) => [status, input])).toEqual([[200, size]])
  })
})

describe('a request that is too long for its stream alone', () => {
  const inStream: readonly (readonly [Spoken, OverflowStyle, Told])[] = [
    ['openai-chat', 'openrouter-in-stream', both],
    ['openai-responses', 'responses-in-stream', neither],
  ]

  it.each(inStream)(
    '[R321, R322] fails inside it by %s in the words of %s',
    async (format, style, expected) => {
      const size = await sizeOf(format)
      const streamed = await ask(open(modelOf(size - 1, style)), format, {
        ...requests[format],
        stream: true,
      })
      expect(streamed.status).toBe(200)
      const errors = (await streamed.text())
        .split('\n')
        .filter((line) => line.startsWith('data: {'))
        .map((line) => told(line.slice('data: '.length), 200))
        .filter((facts) => facts !== null)
      expect(errors).toEqual([expected(size - 1, size)])
      const whole = await ask(open(modelOf(size - 1, style)), format, requests[format])
      expect(whole.status).toBe(400)
      expect(told(await whole.json(), 400)).toEqual(expected(size - 1, size))
    },
  )
})
