import { createDogear, type Dogear, type DogearOptions } from '../dogear.ts'
import type { Warning } from '../engine/format.ts'
import type { JsonObject } from '../engine/json.ts'
import type { DogearEvent } from '../events.ts'
import type { DogearFetchOptions } from '../fetch-options.ts'
import { memoryStore } from '../stores/memory.ts'

export interface SentCall {
  readonly input: RequestInfo | URL
  readonly init: RequestInit | undefined
}

export interface TestFetch {
  readonly dogear: Dogear
  readonly fetch: typeof fetch
  /** What reached the network, in order. */
  readonly sent: readonly SentCall[]
  readonly events: readonly DogearEvent[]
  warnings(): readonly string[]
}

export interface TestFetchOptions extends DogearOptions {
  readonly branch?: DogearFetchOptions['branch']
  /** What the network answers; a completion of Chat Completions. */
  readonly answer?: (call: SentCall) => Response | Promise<Response>
}

const opened: Dogear[] = []

/** Closes what a test has opened. */
export async function closeFetches(): Promise<void> {
  for (const dogear of opened.splice(0)) await dogear.close()
}

/** A `dogear.fetch` over a network that is played, on a dogear of its own. */
export function openFetch({ branch = 'chat', answer, ...options }: TestFetchOptions = {}): TestFetch {
  const dogear = createDogear({ store: memoryStore(), ...options })
  opened.push(dogear)
  const events: DogearEvent[] = []
  dogear.subscribe((event) => events.push(event))
  const sent: SentCall[] = []
  const network: typeof fetch = async (input, init) => {
    const call = { input, init }
    sent.push(call)
    return answer ? answer(call) : jsonResponse(completion())
  }
  return {
    dogear,
    fetch: dogear.fetch({ branch, fetch: network }),
    sent,
    events,
    warnings: () => warningsOf(events).map(({ code }) => code),
  }
}

export function warningsOf(events: readonly DogearEvent[]): readonly Warning[] {
  return events.flatMap((event) => (event.type === 'warning' ? [event.warning] : []))
}

export function jsonResponse(value: unknown, init: ResponseInit = {}): Response {
  return new Response(JSON.stringify(value), {
    ...init,
    headers: { 'content-type': 'application/json', ...init.headers },
  })
}

/** A whole answer of Chat Completions, with what it is to report; null: nothing. */
export function completion(usage: unknown = { prompt_tokens: 12, completion_tokens: 2 }): JsonObject {
  return {
    id: 'c1',
    object: 'chat.completion',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Two.' }, finish_reason: 'stop' }],
    ...(usage === null ? {} : { usage }),
  } as JsonObject
}

export const chatUrl = 'https://api.example/v1/chat/completions'

/** What a client hands to `fetch` for a chat request. */
export function post(body: unknown, more: RequestInit = {}): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...more,
  }
}

export function asks(...contents: readonly string[]): JsonObject {
  return {
    model: 'm',
    messages: contents.map((content, place) => ({ role: place % 2 ? 'assistant' : 'user', content })),
  }
}

/** The body that reached the network, as text. */
export async function sentText({ sent }: TestFetch, place = -1): Promise<string> {
  const call = sent.at(place)
  if (call === undefined) throw new Error('nothing was sent')
  return new Request(call.input, call.init).text()
}

/** A chat request of each format that is spoken over HTTP. */
export const chatRequests: readonly (readonly [format: string, url: string, body: JsonObject])[] = [
  ['openai-chat', chatUrl, asks('Hello')],
  ['openai-responses', 'https://api.example/v1/responses', { model: 'm', input: 'Hello' }],
  [
    'anthropic',
    'https://api.example/v1/messages?beta=true',
    { model: 'claude-opus-5-5', max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] },
  ],
  [
    'gemini',
    'https://api.example/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse',
    { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
  ],
]
