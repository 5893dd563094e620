import type { JsonObject } from '../engine/json.ts'
import type { ContextPolicy } from '../engine/policy.ts'
import type { Summarize } from '../ports.ts'
import { loadRanks } from '../tokenizer/load-ranks.ts'
import { createScriptCounter } from '../tokenizer/script-counter.ts'
import { openFetch, post, type TestFetch } from './open-fetch.ts'
import type { ProviderModel } from './provider/model.ts'
import { createProvider, type Provider, type ProviderOptions } from './provider/provider.ts'

const counter = createScriptCounter(await loadRanks())

export const urls = {
  'openai-chat': 'https://provider.test/v1/chat/completions',
  'openai-responses': 'https://provider.test/v1/responses',
  anthropic: 'https://provider.test/v1/messages',
  gemini: 'https://provider.test/v1beta/models/m:generateContent',
}

export type Spoken = keyof typeof urls

export const words = (place: number): string =>
  `Turn ${place}: ${Array.from({ length: 60 }, (_, word) => `word${(word * 7 + place) % 97}`).join(' ')}`

/** A talk in the shape of a format, `turns` long and waiting for an answer. */
export function talk(format: Spoken, turns: number, isStreamed: boolean): JsonObject {
  const said = Array.from({ length: turns * 2 - 1 }, (_, place) => ({
    role: place % 2 === 0 ? 'user' : 'assistant',
    content: words(place),
  }))
  const stream = isStreamed ? { stream: true } : {}
  switch (format) {
    case 'openai-chat':
      return { model: 'm', messages: said, ...stream }
    case 'openai-responses':
      return { model: 'm', input: said, ...stream }
    case 'anthropic':
      return { model: 'm', max_tokens: 100, messages: said, ...stream }
    case 'gemini':
      return {
        contents: said.map(({ role, content }) => ({
          role: role === 'user' ? 'user' : 'model',
          parts: [{ text: content }],
        })),
      }
  }
}

/** Whether a request asks for a summary: it holds dogear's own instructions and nothing of the chat's form. */
export const asksForSummary = (text: string): boolean => text.includes('You write the record that stands')

export interface Repairing extends TestFetch {
  readonly provider: Provider
  send(turns: number): Promise<Response>
  post(body: JsonObject): Promise<Response>
}

export function openRepairing(options: {
  readonly format: Spoken
  readonly isStreamed?: boolean
  readonly model: ProviderModel
  /** What the app believes of the window. */
  readonly window?: number
  readonly policy?: ContextPolicy
  readonly summarize?: Summarize
  readonly answer?: ProviderOptions['answer']
  readonly interfere?: ProviderOptions['interfere']
}): Repairing {
  const { format, isStreamed = false, model, window, policy, summarize, interfere } = options
  const provider = createProvider({
    models: { '*': model },
    count: (text) => counter.count(text),
    answer:
      options.answer ??
      (({ system, messages }) => ({
        text: asksForSummary(system) ? 'They counted words.' : `Heard ${messages.length}.`,
      })),
    ...(interfere ? { interfere } : {}),
  })
  const test = openFetch({
    policy: { maxInputTokens: 'none', ...policy },
    tokenizer: { engine: 'script' },
    ...(summarize ? { summarize } : {}),
    ...(window === undefined ? {} : { models: [{ model: 'm', contextWindow: window }] }),
    answer: ({ input, init }) => provider.fetch(new Request(input, init)),
  })
  const url =
    isStreamed && format === 'gemini'
      ? urls.gemini.replace('generateContent', 'streamGenerateContent?alt=sse')
      : urls[format]
  return {
    ...test,
    provider,
    send: (turns) => test.fetch(url, post(talk(format, turns, isStreamed))),
    post: (body) => test.fetch(url, post(body)),
  }
}

const formats = Object.keys(urls) as Spoken[]

/** Every format, whole and streamed. */
export const modes = formats.flatMap((format) => [
  [format, 'whole', false] as const,
  [format, 'streamed', true] as const,
])

/** Statuses of the requests that one send led to. */
export async function statusesOf(
  { provider }: Repairing,
  send: () => Promise<Response>,
): Promise<readonly number[]> {
  const before = provider.requests.length
  const response = await send()
  await response.text()
  return provider.requests.slice(before).map(({ status }) => status)
}

export const types = ({ events }: TestFetch): readonly string[] => events.map(({ type }) => type)
