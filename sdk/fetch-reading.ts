import { createParser } from 'eventsource-parser'
import type { ResponseReading, WireFormat } from './engine/format.ts'
import { isObject } from './engine/json.ts'
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
  readonly #contentType: string
  readonly #decoder = new TextDecoder()
  #reader: TextReader | null = null
  #reading = emptyReading

  constructor(options: { readonly wire: WireFormat; readonly contentType: string | null }) {
    this.#readEvent = options.wire.readEvent ?? ((reading) => reading)
    this.#contentType = options.contentType ?? ''
  }

  get reading(): ResponseReading {
    return this.#reading
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
      for (const event of Array.isArray(value) ? value : [value])
        if (isObject(event)) this.#reading = this.#readEvent(this.#reading, event)
    } catch {
      // Not JSON: it says nothing, and what was read until then stands.
    }
  }
}

const lineTypes = /ndjson|jsonl|json-?lines|stream\+json/
