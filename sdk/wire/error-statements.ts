import { unwrapText } from './error-wrappers.ts'
import { readQuotedValue } from './quoted-value.ts'

/** One thing that an error says: it, the error that it holds, or the one that a proxy passed on. */
export interface ErrorStatement {
  /** Of the response and of those that it passes on, the innermost last, as they say themselves. */
  readonly statuses: readonly number[]
  /** Its codes, types and names, as they are written. */
  readonly codes: readonly string[]
  /** Its own words, without those of whoever passed it on, and bounded. */
  readonly message: string
  /** Field of the statement's own object, whatever that is; undefined where it has none. */
  readonly field: (name: string) => unknown
}

/** Objects and texts that are looked at; whatever says more says nothing. */
const MOST_VALUES = 200
const MOST_ITEMS = 8
/** An error says what it is at its beginning. */
const MESSAGE_CHARS = 4_000
/** What is longer is no error that anybody wrote. */
const JSON_CHARS = 1_000_000

/**
 * Everything that an error says, the outermost first. Only fields that hold what a provider says are looked at, by
 * name: never a request that an error carries or a body repeats. The error may be of any shape and hostile.
 */
export function errorStatements(error: unknown, status: number | undefined): readonly ErrorStatement[] {
  const reader = new StatementReader()
  reader.read(error, within([], status))
  return reader.statements
}

/** Where a value's message may be. */
const messageFields = ['message', 'errorMessage', 'error_message']

/** Where codes may be: of OpenAI, Google, Anthropic's details, OpenRouter's metadata, Cohere and AWS. */
const codeFields = ['code', 'type', 'status', 'name', 'error_code', 'error_type', 'errorType']

const statusFields = ['status', 'statusCode', 'status_code', 'code']

/** What holds a further statement in the body of a response. */
const bodyFields = ['error', 'detail']

/**
 * What holds one in what an SDK throws, beside those. In a body these may hold anything, the request among it: only
 * what has a class of its own was thrown.
 */
const thrownFields = ['data', 'responseBody', 'body', 'lastError', 'cause']

class StatementReader {
  readonly statements: ErrorStatement[] = []
  #left = MOST_VALUES

  read(value: unknown, around: readonly number[]): void {
    if (value === null || (typeof value !== 'object' && typeof value !== 'string') || this.#left === 0) return
    this.#left -= 1
    if (typeof value === 'string') this.#readText(value, around)
    else if (Array.isArray(value)) this.#readList(value, around)
    else this.#readObject(value, around)
  }

  #readText(text: string, around: readonly number[]): void {
    const { text: own, status, codes } = unwrapText(text)
    const statuses = within(around, status)
    const value = quotedIn(own)
    const message = value === undefined ? own.slice(0, MESSAGE_CHARS) : ''
    this.statements.push({ statuses, codes, message, field: () => undefined })
    this.read(value, statuses)
  }

  #readList(list: readonly unknown[], statuses: readonly number[]): void {
    const count = fieldOf(list, 'length')
    const items = typeof count === 'number' ? Math.min(count, MOST_ITEMS) : 0
    for (let position = 0; position < items; position++) this.read(fieldOf(list, position), statuses)
  }

  #readObject(value: object, around: readonly number[]): void {
    const field = (name: string): unknown => fieldOf(value, name)
    const statuses = within(around, statusOf(field))
    this.statements.push({ statuses, codes: codesOf(field), message: '', field })
    for (const name of messageFields) this.#readMessage(field(name), statuses)
    for (const name of bodyFields) this.read(field(name), statuses)
    // Beside an error's message they are Anthropic's and OpenRouter's; elsewhere they may be the app's own.
    if (typeof field('message') === 'string') {
      const metadata = field('metadata')
      for (const part of [field('details'), metadata, fieldOf(metadata, 'raw')]) this.read(part, statuses)
    }
    const response = field('response')
    const answered = within(statuses, httpStatus(fieldOf(response, 'status')))
    this.read(fieldOf(response, 'error'), answered)
    if (wasParsed(value)) return
    this.read(fieldOf(response, 'data'), answered)
    for (const name of thrownFields) this.read(field(name), statuses)
    // Of several attempts the last one is what it came to.
    this.read(lastOf(field('errors')), statuses)
  }

  #readMessage(value: unknown, statuses: readonly number[]): void {
    if (typeof value === 'string') this.read(value, statuses)
  }
}

function within(statuses: readonly number[], status: number | undefined): readonly number[] {
  return status === undefined ? statuses : [...statuses, status]
}

/** What a text holds where it is the text of a value and nothing else; undefined where it is words. */
function quotedIn(text: string): unknown {
  if (text.length > JSON_CHARS) return undefined
  // Python's bytes.
  if (/^b['"]\{/.test(text)) return readQuotedValue(text.slice(1))
  if (!/^[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return readQuotedValue(text)
  }
}

function statusOf(field: (name: string) => unknown): number | undefined {
  const own = statusFields.map((name) => httpStatus(field(name))).find((status) => status !== undefined)
  return own ?? httpStatus(fieldOf(field('$metadata'), 'httpStatusCode'))
}

/** Some write it as text. */
function httpStatus(value: unknown): number | undefined {
  const status = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value
  return typeof status === 'number' && Number.isInteger(status) && status >= 200 && status < 600
    ? status
    : undefined
}

function codesOf(field: (name: string) => unknown): readonly string[] {
  return codeFields.flatMap((name) => {
    const code = field(name)
    if (typeof code === 'number') return [String(code)]
    return typeof code === 'string' ? [code] : []
  })
}

function lastOf(list: unknown): unknown {
  if (!Array.isArray(list)) return undefined
  const count = fieldOf(list, 'length')
  return typeof count === 'number' && count > 0 ? fieldOf(list, count - 1) : undefined
}

/** It has no class of its own, as whatever came out of JSON. */
function wasParsed(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || fieldOf(prototype, 'constructor') === Object
}

/** A field that is there, whatever reading it does. */
function fieldOf(value: unknown, name: string | number): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  try {
    return Reflect.get(value, name)
  } catch {
    return undefined
  }
}
