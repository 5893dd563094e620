import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import type { Provider } from '../provider/provider.ts'

/** An answer as it came from the provider, to be made into what the app gets in its place. */
interface Answer {
  readonly response: Response
  /** Events of a stream as they stand on the wire, or one text. */
  readonly pieces: readonly string[]
  readonly isStream: boolean
}

/** What can happen to an answer on its way, or on its provider's bad days. */
const spoilings = {
  'ends-early': (answer) => again(answer, firstHalf(answer)),
  'breaks-off': (answer) => again(answer, firstHalf(answer), { breaks: true }),
  'fails-midway': (answer) => again(answer, [...firstHalf(answer), eventOf(answer, failure(500), 'error')]),
  'no-usage': (answer) => again(answer, withUsage(answer, null)),
  'negative-usage': (answer) => again(answer, withUsage(answer, -4)),
  'absurd-usage': (answer) => again(answer, withUsage(answer, 9e15)),
  'other-type': (answer) => again(answer, answer.pieces, { type: 'text/plain' }),
  'no-json': (answer) => again(answer, ['<html><body>Sign in to go on</body></html>']),
  'other-shape': (answer) => again(answer, [eventOf(answer, { greeting: 'hello' }, 'greeting')]),
} as const satisfies Readonly<Record<string, (answer: Answer) => Response>>

export type Spoiling = keyof typeof spoilings

/** Statuses with which the first send of a request is turned away. */
const statuses = { 'busy-once': 429, 'down-once': 500 } as const

export type TurnedAway = keyof typeof statuses

/** The name of a model whose answers are spoiled; `chat` tells it from that of any other chat. */
export function spoiledModel(kind: Spoiling | TurnedAway, chat: string): string {
  return `${kind}.${chat}`
}

/** Stands before a provider and spoils what it answers, as the name of the model asks. */
export function spoiledProvider({ fetch, requests }: Provider): Provider {
  const known = new Set<string>()
  return {
    requests,
    async fetch(request) {
      if (request.method !== 'POST') return fetch(request)
      const name = await modelOf(request)
      const [kind = ''] = name.split('.')
      if (isOneOf(statuses, kind) && !known.has(name)) {
        known.add(name)
        return turnedAway(statuses[kind])
      }
      const response = await fetch(request)
      return isOneOf(spoilings, kind) ? spoilings[kind](await read(response)) : response
    },
  }
}

function isOneOf<Table extends object>(table: Table, key: string): key is Extract<keyof Table, string> {
  return Object.hasOwn(table, key)
}

async function modelOf(request: Request): Promise<string> {
  const [, inPath] = /\/models\/([^/:]+):/.exec(new URL(request.url).pathname) ?? []
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => null)
  return inPath ?? (isObject(body) ? String(body.model) : '')
}

function turnedAway(status: number): Response {
  const headers = {
    'content-type': 'application/json',
    // Clients wait as long as they are told.
    'retry-after-ms': '1',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': '*',
  }
  return new Response(JSON.stringify(failure(status)), { status, headers })
}

/** In words that the clients of all formats understand. */
function failure(status: number): JsonObject {
  const error = { type: 'server_error', code: status, message: 'Try again later', status: 'UNAVAILABLE' }
  return { type: 'error', error }
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text()
  const isStream = response.headers.get('content-type') === 'text/event-stream'
  return { response, pieces: isStream ? text.split(/(?<=\n\n)/) : [text], isStream }
}

function firstHalf({ pieces, isStream }: Answer): readonly string[] {
  if (isStream) return pieces.slice(0, Math.ceil(pieces.length / 2))
  return pieces.map((text) => text.slice(0, text.length / 2))
}

/** Some formats name their events beside what these hold. */
function eventOf({ pieces, isStream }: Answer, value: JsonObject, name: string): string {
  const data = JSON.stringify(value)
  if (!isStream) return data
  return pieces[0]?.startsWith('event:') ? `event: ${name}\ndata: ${data}\n\n` : `data: ${data}\n\n`
}

/** Every figure of the usage is the number; null: there is no usage. */
function withUsage({ pieces }: Answer, number: number | null): readonly string[] {
  return pieces.map((piece) =>
    piece.replace(/\{.*\}/, (json) => JSON.stringify(changeUsage(JSON.parse(json) as JsonValue, number))),
  )
}

function changeUsage(value: JsonValue, number: number | null): JsonValue {
  if (Array.isArray(value)) return value.map((item) => changeUsage(item, number))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value as Record<string, JsonValue>).flatMap(([key, inner]) => {
      if (!/^usage(Metadata)?$/.test(key)) return [[key, changeUsage(inner, number)]]
      return number === null ? [] : [[key, everyNumber(inner, number)]]
    }),
  )
}

function everyNumber(value: JsonValue, number: number): JsonValue {
  if (typeof value === 'number') return number
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value as Record<string, JsonValue>).map(([key, inner]) => [
      key,
      everyNumber(inner, number),
    ]),
  )
}

/** Long enough that a network does not deliver what stands on both sides of it as one. */
const PAUSE_MS = 25

/** Long enough that a page which does other things has read what came: a browser drops the rest when a connection breaks. */
const PAUSE_BEFORE_BREAK_MS = 400

/** The same response with other text, its last piece and its end apart from what came before. */
function again(
  { response: { status, headers: given } }: Answer,
  pieces: readonly string[],
  { type, breaks = false }: { readonly type?: string; readonly breaks?: boolean } = {},
): Response {
  const headers = new Headers(given)
  if (type !== undefined) headers.set('content-type', type)
  const encoder = new TextEncoder()
  const left = [pieces.slice(0, -1).join(''), pieces.at(-1) ?? ''].filter((text) => text !== '')
  const body = new ReadableStream({
    async pull(controller) {
      const text = left.shift()
      if (text !== undefined) controller.enqueue(encoder.encode(text))
      else if (breaks) controller.error(new Error('the connection was lost'))
      else controller.close()
      const pause = breaks && left.length === 0 ? PAUSE_BEFORE_BREAK_MS : PAUSE_MS
      await new Promise((resolve) => setTimeout(resolve, pause))
    },
  })
  return new Response(body, { status, headers })
}
