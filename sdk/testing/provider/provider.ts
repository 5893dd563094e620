import { isObject, type JsonObject } from '../../engine/json.ts'
import { anthropic } from './anthropic.ts'
import type { Answered, Dialect, ReceivedChat, Rejection, ResponseMemory } from './dialect.ts'
import { gemini } from './gemini.ts'
import type { ProviderModel } from './model.ts'
import { openAiChat } from './openai-chat.ts'
import { failedResponse, openAiResponses } from './openai-responses.ts'
import { SeenPrefixes } from './seen-prefixes.ts'
import { answerStream } from './stream.ts'
import type { NamedAnswer, ProviderAnswer, ProviderTurn, ProviderUsage } from './turn.ts'

/** What happens to one request in place of what would. */
export type Interference =
  | { readonly type: 'reject'; readonly status: number; readonly body?: JsonObject }
  | { readonly type: 'cut'; readonly afterChunks: number }
  | { readonly type: 'fail-in-stream'; readonly afterChunks: number; readonly error: JsonObject }
  | { readonly type: 'delay'; readonly milliseconds: number }
  | { readonly type: 'respond'; readonly response: () => Response }
  | { readonly type: 'report'; readonly usage: Partial<ProviderUsage> }

export interface ProviderOptions {
  /** By name; `*` stands for any other. */
  readonly models: Readonly<Record<string, ProviderModel>>
  /** Tokens of o200k_base of a text. */
  readonly count: (text: string) => number
  /** Answers from what the request says, and nothing else. */
  readonly answer: (turn: ProviderTurn) => ProviderAnswer | Promise<ProviderAnswer>
  /** Asked of every chat request that was read, with its number from 1 on. */
  readonly interfere?: (received: ReceivedChat, number: number) => Interference | null
}

/** One chat request as it came, and what became of it. */
export interface ProviderRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: JsonObject
  readonly turn: ProviderTurn
  /** In the model's own tokens. */
  readonly input: number
  readonly status: number
}

export interface Provider {
  /** Answers a request as a provider's server would. */
  fetch(request: Request): Promise<Response>
  /** The chat requests that came, in order. */
  readonly requests: readonly ProviderRequest[]
}

const dialects: readonly Dialect[] = [openAiChat, openAiResponses, anthropic, gemini]

/** Tokens of o200k_base that an image, a recording or a file is billed as, whatever its size. */
const MEDIUM_TOKENS = 765

/** Pages may call it from anywhere, with whatever headers. */
const open = {
  'access-control-allow-origin': '*',
  'access-control-allow-headers': '*',
  'access-control-allow-methods': '*',
  'access-control-expose-headers': '*',
}

/**
 * A provider that is played: it speaks OpenAI Chat, OpenAI Responses, Anthropic Messages and Gemini, streamed and
 * whole, counts what it reads with a real tokenizer times a factor, holds to its window, and rejects what those
 * providers reject, in their words. Its answers are scripted. Runs in a page as in Node.
 */
export function createProvider(options: ProviderOptions): Provider {
  const requests: ProviderRequest[] = []
  const memory: ResponseMemory = new Map()
  const seen = new SeenPrefixes()
  let answers = 0
  let calls = 0

  function name(
    { text = '', reasoning = '', calls: wanted = [] }: ProviderAnswer,
    signature: string,
  ): NamedAnswer {
    answers++
    const named = wanted.map((call) => ({ ...call, id: `call_${++calls}` }))
    return { id: `${answers}`.padStart(6, '0'), text, reasoning, signature, calls: named }
  }

  async function respond(
    dialect: Dialect,
    chat: ReceivedChat,
    path: string,
    headers: Headers,
  ): Promise<Response> {
    const model = options.models[chat.model] ?? options.models['*']
    const log = (status: number, input: number): void => {
      const {
        authorization: _,
        'x-api-key': _key,
        'x-goog-api-key': _google,
        ...shown
      } = Object.fromEntries(headers)
      requests.push({ path, headers: shown, body: chat.body, turn: chat.turn, input, status })
    }
    const reject = ({ status, body }: Rejection, input = 0): Response => {
      log(status, input)
      return json(status, body)
    }
    if (model === undefined) return reject(dialect.error(404, `The model ${chat.model} does not exist`))
    const interference = options.interfere?.(chat, requests.length + 1) ?? null
    if (interference?.type === 'delay') await new Promise((end) => setTimeout(end, interference.milliseconds))
    if (interference?.type === 'reject') {
      const { status, body } = interference
      return reject({ status, body: body ?? dialect.error(status, 'The server had an error').body })
    }
    if (interference?.type === 'respond') {
      const response = interference.response()
      log(response.status, 0)
      return response
    }
    const fault = dialect.reject(chat, model)
    if (fault) return reject(fault)
    const tokens = chat.pieces.map(
      ({ text, media = [] }) => options.count(text) + media.length * MEDIUM_TOKENS,
    )
    const factor = model.factor ?? 1
    const scaled = (counted: number): number => Math.ceil(counted * factor)
    const total = scaled(tokens.reduce((sum, each) => sum + each, 0))
    const withOutput = model.overflow === 'anthropic-with-output'
    if (total + (withOutput ? chat.output : 0) > model.window && !model.truncatesSilently) {
      const overflow = { style: model.overflow, limit: model.window, got: total, output: chat.output }
      const { status, body } = dialect.overflow(overflow)
      if (!chat.isStreamed || !model.overflow?.endsWith('in-stream')) return reject({ status, body }, total)
      log(200, total)
      const chunks =
        dialect === openAiResponses
          ? failedResponse(chat, `${requests.length}`, body.error ?? null)
          : [': OPENROUTER PROCESSING\n\n', dialect.errorChunk(body)]
      return new Response(answerStream(chunks), { headers: { ...open, 'content-type': dialect.contentType } })
    }
    const answered = await options.answer(chat.turn)
    const answer = name(answered, dialect.sign(chat, answered.reasoning ?? ''))
    const cached = seen.take({
      model: chat.model,
      pieces: chat.pieces,
      tokens,
      byMarks: dialect === anthropic,
    })
    const input = Math.min(total, model.window)
    const cacheRead = Math.min(scaled(cached.read), input)
    const reasoning = scaled(options.count(answer.reasoning))
    const said = answer.calls.length === 0 ? answer.text : answer.text + JSON.stringify(answer.calls)
    const usage = {
      input,
      cacheRead,
      cacheWrite: Math.min(scaled(cached.written), input - cacheRead),
      output: scaled(options.count(said)) + reasoning,
      reasoning,
      ...(interference?.type === 'report' ? interference.usage : {}),
    }
    const outgoing: Answered = { chat, answer, usage }
    log(200, total)
    if (!chat.isStreamed) return json(200, dialect.whole(outgoing, memory))
    const chunks = dialect.stream(outgoing, memory)
    return new Response(
      answerStream(interfered(dialect, chunks, interference), interference?.type === 'cut'),
      {
        headers: { ...open, 'content-type': dialect.contentType },
      },
    )
  }

  return {
    requests,
    async fetch(request) {
      if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: open })
      const { pathname } = new URL(request.url)
      const body: unknown = await request.json().catch(() => null)
      if (!isObject(body)) return json(400, openAiChat.error(400, 'We could not parse the JSON body.').body)
      for (const dialect of dialects) {
        const chat = dialect.read(pathname, body, memory)
        if (chat) return respond(dialect, chat, pathname, request.headers)
      }
      return json(404, openAiChat.error(404, `Invalid URL (POST ${pathname})`).body)
    },
  }
}

function interfered(
  dialect: Dialect,
  chunks: readonly string[],
  interference: Interference | null,
): readonly string[] {
  if (interference?.type === 'cut') return chunks.slice(0, interference.afterChunks)
  if (interference?.type !== 'fail-in-stream') return chunks
  return [...chunks.slice(0, interference.afterChunks), dialect.errorChunk(interference.error)]
}

function json(status: number, body: JsonObject): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...open, 'content-type': 'application/json' },
  })
}
