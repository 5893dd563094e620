import { describe, expect, it } from 'vitest'
import { classifyError } from '../../classify-error.ts'
import type { JsonObject } from '../../engine/json.ts'
import { readUsage } from '../../read-usage.ts'
import { ask, type Spoken, spoken } from './ask-provider.ts'
import { createProvider, type Provider, type ProviderOptions } from './provider.ts'
import { eventsIn, wholeFrom } from './streamed-answer.ts'
import type { ProviderAnswer } from './turn.ts'

const requests: Readonly<Record<Spoken, JsonObject>> = {
  'openai-chat': {
    model: 'm',
    messages: [{ role: 'user', content: 'go' }],
    stream_options: { include_usage: true },
  },
  'openai-responses': { model: 'm', input: 'go' },
  anthropic: { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'go' }] },
  gemini: { model: 'm', contents: [{ role: 'user', parts: [{ text: 'go' }] }] },
}

const long = 'Ein Kasten 📦, neunzehn Blätter,\n"und" ein Schlüssel\\. '.repeat(5)
const calls = [
  { name: 'look', arguments: { place: long, depth: [1, { all: true }] } },
  { name: 'list', arguments: {} },
]

const answers: Readonly<Record<string, ProviderAnswer>> = {
  'a word': { text: 'Yes.' },
  'a long text': { text: long },
  'two calls': { calls },
  'all there is': { reasoning: `Hm. ${long}`, text: long, calls },
  nothing: {},
}

const open = (
  answer: ProviderAnswer,
  interfere: NonNullable<ProviderOptions['interfere']> = () => null,
): Provider =>
  createProvider({
    models: { m: { window: 10_000, factor: 1.2 } },
    count: (text) => text.length,
    answer: () => answer,
    interfere,
  })

const streamOf = async (format: Spoken, provider: Provider): Promise<Response> =>
  ask(provider, format, { ...requests[format], stream: true })

const cases = spoken.flatMap((format) => Object.keys(answers).map((name) => [format, name] as const))

describe('a stream', () => {
  it.each(cases)('of %s comes to the whole response: %s', async (format, name) => {
    const answer = answers[name] ?? {}
    const whole = (await (await ask(open(answer), format, requests[format])).json()) as JsonObject
    const response = await streamOf(format, open(answer))
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const events = eventsIn(await response.text())
    expect(wholeFrom[format](events)).toEqual(whole)
    const usage = readUsage(format, events)
    expect(usage?.input).toBeGreaterThan(0)
    expect({ ...usage, raw: null }).toEqual({ ...readUsage(format, whole), raw: null })
  })

  it.each(spoken)('of %s brings a long text in pieces', async (format) => {
    const text = await (await streamOf(format, open({ text: long }))).text()
    const saying = eventsIn(text).filter((event) => /Kast|Blät|Schl/.test(JSON.stringify(event)))
    expect(saying.length).toBeGreaterThan(5)
  })

  it('of openai-chat reports no usage to whoever does not ask for it', async () => {
    const { stream_options: _, ...request } = requests['openai-chat']
    const response = await ask(open({ text: 'Yes.' }), 'openai-chat', { ...request, stream: true })
    const text = await response.text()
    expect(readUsage('openai-chat', eventsIn(text))).toBeNull()
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  it.each(spoken)('of %s can fail after it began, with status 200', async (format) => {
    const error = {
      error: {
        type: 'invalid_request_error',
        code: 'context_length_exceeded',
        message:
          'Input tokens exceed the configured limit of 900 tokens. Your messages resulted in 1000 tokens.',
        param: null,
      },
    }
    const provider = open({ text: long }, () => ({ type: 'fail-in-stream', afterChunks: 3, error }))
    const response = await streamOf(format, provider)
    expect(response.status).toBe(200)
    const events = eventsIn(await response.text())
    expect(events).toHaveLength(4)
    expect(events.slice(0, 3).map((event) => classifyError(event))).toEqual([null, null, null])
    expect(classifyError(events[3])).toMatchObject({ kind: 'context', limit: 900, got: 1000 })
    const first = eventsIn(await (await streamOf(format, open({ text: long }))).text()).slice(0, 3)
    expect(events.slice(0, 3)).toEqual(first)
  })

  it.each(spoken)('of %s can break off', async (format) => {
    const provider = open({ text: long }, () => ({ type: 'cut', afterChunks: 2 }))
    const response = await streamOf(format, provider)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    const read: string[] = []
    const rest = async (): Promise<void> => {
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: '' }
        if (done) return
        read.push(value)
      }
    }
    await expect(rest()).rejects.toThrow('lost')
    expect(eventsIn(read.join(''))).toHaveLength(2)
  })
})
