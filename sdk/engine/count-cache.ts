/** UTF-16 units of text that the cache holds at the most; about the text of a few long chats. */
const CACHED_UNITS = 16_000_000

/**
 * Tokens by text, so that nothing is counted twice. Bounded by two generations: when the young one is full it
 * becomes the old one, and the old one is dropped; a text that is asked for moves back to the young one.
 */
export class CountCache {
  #young = new Map<string, number>()
  #old = new Map<string, number>()
  #youngUnits = 0
  readonly #limit: number

  constructor(options: { readonly units?: number } = {}) {
    this.#limit = (options.units ?? CACHED_UNITS) / 2
  }

  get(text: string): number | undefined {
    const young = this.#young.get(text)
    if (young !== undefined) return young
    const old = this.#old.get(text)
    if (old !== undefined) this.set(text, old)
    return old
  }

  set(text: string, tokens: number): void {
    if (this.#young.has(text)) return
    if (this.#youngUnits + text.length > this.#limit) {
      this.#old = this.#young
      this.#young = new Map()
      this.#youngUnits = 0
    }
    // A short slice keeps the whole text it was cut from alive; a long one is most of it anyway.
    this.#young.set(text.length < 64 ? copyShort(text) : text, tokens)
    this.#youngUnits += text.length
  }
}

function copyShort(text: string): string {
  return [...text].join('')
}
