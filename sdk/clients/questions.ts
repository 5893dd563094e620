import { generateText, type LanguageModel, streamText, wrapLanguageModel } from 'ai'
import { dogearMiddleware } from '../ai-sdk.ts'
import type { Branch } from '../branch.ts'
import type { Format } from '../engine/format.ts'
import { type AdapterFormat, aiSdkModel } from './ai-sdk.ts'
import { anthropicClient } from './anthropic.ts'
import type { DriverOptions } from './driver.ts'
import { geminiClient } from './gemini.ts'
import { openAiClient } from './openai.ts'

/** What an app has of an answer: one value, or those of a stream until it ended or failed. */
export type Ask = (
  options: Pick<DriverOptions, 'url' | 'fetch' | 'model' | 'isStreamed'>,
  take: (value: unknown) => void,
) => Promise<void>

const adapterFormats = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const

const prompt = 'What is a lantern? Say it in a sentence.'
const maxOutputTokens = 100
const messages = [{ role: 'user' as const, content: prompt }]

/** One question by each client, in its words, without anything of dogear. */
export const questions: readonly (readonly [format: Format, name: string, ask: Ask])[] = [
  [
    'openai-chat',
    'openai',
    async ({ model, isStreamed, ...provided }, take) => {
      const { completions } = openAiClient(provided).chat
      if (!isStreamed) return take(await completions.create({ model, messages }))
      const options = { stream: true, stream_options: { include_usage: true } } as const
      for await (const chunk of await completions.create({ model, messages, ...options })) take(chunk)
    },
  ],
  [
    'openai-responses',
    'openai',
    async ({ model, isStreamed, ...provided }, take) => {
      const { responses } = openAiClient(provided)
      if (!isStreamed) return take(await responses.create({ model, input: prompt }))
      for await (const event of await responses.create({ model, input: prompt, stream: true })) take(event)
    },
  ],
  [
    'anthropic',
    '@anthropic-ai/sdk',
    async ({ model, isStreamed, ...provided }, take) => {
      const client = anthropicClient(provided)
      const request = { model, max_tokens: maxOutputTokens, messages }
      if (!isStreamed) return take(await client.messages.create(request))
      for await (const event of await client.messages.create({ ...request, stream: true })) take(event)
    },
  ],
  [
    'gemini',
    '@google/genai',
    async ({ model, isStreamed, ...provided }, take) => {
      const { models } = geminiClient(provided)
      const request = { model, contents: prompt }
      if (!isStreamed) return take(withoutResponse(await models.generateContent(request)))
      for await (const chunk of await models.generateContentStream(request)) take(withoutResponse(chunk))
    },
  ],
  ...adapterFormats.map((format) => [format, 'ai and its adapter', aiSdkQuestion(format)] as const),
]

/** The same question through the middleware of a branch, and without it. */
export const middlewareQuestions = adapterFormats.map((format) => ({
  format,
  ask: (branch: Branch): Ask =>
    aiSdkQuestion(format, (model) => wrapLanguageModel({ model, middleware: dogearMiddleware(branch) })),
  askWithout: aiSdkQuestion(format),
}))

/** Its answers carry the HTTP response that they came in, with the time of it. */
function withoutResponse({ sdkHttpResponse: _, ...answer }: object & { sdkHttpResponse?: unknown }): object {
  return answer
}

type Wrap = (model: ReturnType<typeof aiSdkModel>) => LanguageModel

function aiSdkQuestion(format: AdapterFormat, wrap: Wrap = (model) => model): Ask {
  return async ({ isStreamed, ...provided }, take) => {
    const model = wrap(aiSdkModel(format, provided))
    const asked = { model, prompt, maxOutputTokens, maxRetries: 1 }
    if (!isStreamed) {
      const { content, finishReason, rawFinishReason, usage, warnings, request, providerMetadata } =
        await generateText(asked)
      return take({ content, finishReason, rawFinishReason, usage, warnings, request, providerMetadata })
    }
    const errors: unknown[] = []
    const { fullStream } = streamText({ ...asked, onError: ({ error }) => void errors.push(error) })
    for await (const part of fullStream) take(withoutTimes(part))
    // It tells of an error among the parts, and does not throw it.
    if (errors.length > 0) throw errors[0]
  }
}

/** The HTTP response of a step is of its own time, and so is how long the step took. */
function withoutTimes(part: object & { response?: unknown; performance?: unknown }): object {
  const { response: _, performance: __, ...rest } = part
  return 'error' in rest ? { ...rest, error: nameless(rest.error) } : rest
}

interface Seen {
  readonly values: readonly unknown[]
  readonly error: unknown
}

/** What an app sees, but for the names that the provider gives anew each time. */
export async function seenBy(ask: Ask, options: Parameters<Ask>[0]): Promise<Seen> {
  const values: unknown[] = []
  const error: unknown = await ask(options, (value) => values.push(value)).then(
    () => null,
    (reason: unknown) => reason,
  )
  return { values: values.map(nameless), error: nameless(error) }
}

function nameless(value: unknown): unknown {
  if (value === undefined) return 'undefined'
  const shown = value instanceof Error ? errorFacts(value) : value
  return JSON.parse(JSON.stringify(shown).replaceAll(/(?<!\d)\d{6}(?!\d)/g, 'N'))
}

function errorFacts(error: Error): object {
  const { name, message, cause } = error
  const { status, statusCode, code, reason, isRetryable } = error as Error & Readonly<Record<string, unknown>>
  const facts = { name, message, status, statusCode, code, reason, isRetryable }
  return { ...facts, ...(cause instanceof Error ? { cause: errorFacts(cause) } : {}) }
}
