import { createParser } from 'eventsource-parser'
import type { ResponseReading, WireFormat } from './engine/format.ts'
import { isObject, type JsonObject } from './engine/json.ts'
import { emptyReading } from './wire/response-reading.ts'

/** Text of a response, piece by piece. */
interface TextReader {
  /** Content types that say the text is what it looks like. */
  readonly type: RegExp
  feed(text: string): void
  end(): void
}

/**
 * Reads a response as it passes: one JSON text, server-sent events, or a JSON text per line. Of a stream it keeps
 * what has been read, and never the events. It never throws.
 */
export class ResponseReader {
  readonly #readEvent: NonNullable<WireFormat['readEvent']>
  readonly #beginsAnswer: NonNullable<WireFormat['beginsAnswer']>
  readonly #contentType: string
  readonly #decoder = new TextDecoder()
  #reader: TextReader | null = null
  #reading = emptyReading
  #hasBegun = false
  #isStream = false
  /** The text ended with a whole event before the newest piece of it, and does with it. */
  #wasBetweenEvents = true
  #isBetweenEvents = true

  constructor(options: { readonly wire: WireFormat; readonly contentType: string | null }) {
    const { readEvent, beginsAnswer } = options.wire
    this.#readEvent = readEvent ?? ((reading) => reading)
    this.#beginsAnswer = beginsAnswer ?? (() => true)
    this.#contentType = options.contentType ?? ''
  }

  get reading(): ResponseReading {
    return this.#reading
  }

  /** A stream that reported an error before it said anything, and of which nothing was passed on that cannot stay. */
  get failedAtOpening(): boolean {
    return this.#isStream && this.#reading.error !== null && !this.#hasBegun && this.#wasBetweenEvents
  }

  /** The text is not what its content type says. */
  get isOfOtherType(): boolean {
    return this.#reader !== null && !this.#reader.type.test(this.#contentType)
  }

  add(bytes: Uint8Array): void {
    this.#feed(this.#decoder.decode(bytes, { stream: true }))
  }

  /** What has come is all there is. */
  end(): void {
    this.#feed(this.#decoder.decode())
    this.#reader?.end()
  }

  #feed(text: string): void {
    this.#wasBetweenEvents = this.#isBetweenEvents
    if (text !== '') this.#isBetweenEvents = /(?:\r\n|\r|\n){2}$/.test(text)
    if (this.#reader === null && text.trim() !== '') this.#reader = this.#readerFor(text)
    this.#reader?.feed(text)
  }

  /** By its first sign: proxies are not particular about content types. Only lines look like something else. */
  #readerFor(text: string): TextReader {
    if (lineTypes.test(this.#contentType)) return this.#lines()
    return /^\s*[{[]/.test(text) ? this.#json() : this.#events()
  }

  #json(): TextReader {
    const pieces: string[] = []
    return {
      type: /json/,
      feed: (text) => void pieces.push(text),
      end: () => this.#take(pieces.join('')),
    }
  }

  #lines(): TextReader {
    let rest = ''
    return {
      type: lineTypes,
      feed: (text) => {
        const lines = (rest + text).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines) this.#take(line)
      },
      end: () => this.#take(rest),
    }
  }

  #events(): TextReader {
    this.#isStream = true
    const parser = createParser({ onEvent: ({ data }) => this.#take(data) })
    return {
      type: /event-stream/,
      feed: (text) => parser.feed(text),
      // The last event may lack the empty line that ends it.
      end: () => parser.feed('\n\n'),
    }
  }

  #take(json: string): void {
    if (json.trim() === '[DONE]') {
      this.#reading = { ...this.#reading, isComplete: true }
      return
    }
    try {
      const value: unknown = JSON.parse(json)
      // Gemini streams one list where it is not asked for events.
      for (const event of Array.isArray(value) ? value : [value]) if (isObject(event)) this.#takeEvent(event)
    } catch {
      // Not JSON: it says nothing, and what was read until then stands.
    }
  }

  #takeEvent(event: JsonObject): void {
    this.#reading = this.#readEvent(this.#reading, event)
    // An error says nothing of an answer, whatever its shape.
    if (this.#reading.error === null) this.#hasBegun ||= this.#beginsAnswer(event)
  }
}

const lineTypes = /ndjson|jsonl|json-?lines|stream\+json/
