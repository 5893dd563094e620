const DEEPEST = 24

/** What LiteLLM says of its own after the error that it passes on. */
const tail = /^[\s.]{0,8}(?:$|Received Model Group|LiteLLM Retried)/

/**
 * The value that a text is, as Python prints it or as JSON: proxies put an error into the message of their own in
 * either way. Undefined where the text is anything else, a value with other words after it included.
 */
export function readQuotedValue(text: string): unknown {
  const reader = new QuotedReader(text)
  try {
    const value = reader.value(0)
    return tail.test(reader.rest) ? value : undefined
  } catch (error) {
    if (error === reader.unreadable) return undefined
    throw error
  }
}

const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['null', null],
  ['None', null],
])

class QuotedReader {
  readonly unreadable = new Error('not a value')
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  get rest(): string {
    return this.#text.slice(this.#at)
  }

  value(depth: number): unknown {
    if (depth > DEEPEST) throw this.unreadable
    this.#skipSpace()
    const first = this.#text[this.#at]
    if (first === '{') return Object.fromEntries(this.#members('}', () => this.#pair(depth)))
    if (first === '[') return this.#members(']', () => this.value(depth + 1))
    if (first === '"' || first === "'") return this.#string(first)
    return this.#word()
  }

  #pair(depth: number): readonly [string, unknown] {
    const key = this.value(depth + 1)
    if (!this.#take(':')) throw this.unreadable
    return [String(key), this.value(depth + 1)]
  }

  #members<Member>(end: string, read: () => Member): readonly Member[] {
    const members: Member[] = []
    this.#at += 1
    while (!this.#take(end)) {
      members.push(read())
      if (this.#take(',')) continue
      if (!this.#take(end)) throw this.unreadable
      break
    }
    return members
  }

  #string(quote: string): string {
    let text = ''
    for (this.#at += 1; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text[this.#at]
      if (character === quote) {
        this.#at += 1
        return text
      }
      text += character === '\\' ? this.#escaped() : character
    }
    throw this.unreadable
  }

  #escaped(): string {
    this.#at += 1
    const character = this.#text[this.#at] ?? ''
    const digits = { u: 4, x: 2 }[character]
    if (digits === undefined) return { n: '\n', t: '\t', r: '\r' }[character] ?? character
    const code = Number.parseInt(this.#text.slice(this.#at + 1, this.#at + 1 + digits), 16)
    if (Number.isNaN(code)) throw this.unreadable
    this.#at += digits
    return String.fromCharCode(code)
  }

  #word(): unknown {
    const [word = ''] = /^[\w.+-]{0,40}/.exec(this.#text.slice(this.#at, this.#at + 40)) ?? []
    this.#at += word.length
    if (words.has(word)) return words.get(word)
    const number = Number(word)
    if (word === '' || Number.isNaN(number)) throw this.unreadable
    return number
  }

  #take(character: string): boolean {
    this.#skipSpace()
    if (this.#text[this.#at] !== character) return false
    this.#at += 1
    return true
  }

  #skipSpace(): void {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1
  }
}
