import type { TokenizerOptions } from './options.ts'

interface Shared<Thing> {
  readonly options: TokenizerOptions
  readonly thing: Thing
  users: number
}

/** Things of which there is one for equal options, made for the first user and ended when the last one leaves. */
export class SharedByOptions<Thing> {
  readonly #all = new Set<Shared<Thing>>()
  readonly #make: (options: TokenizerOptions) => Thing
  readonly #end: (thing: Thing) => void

  constructor(make: (options: TokenizerOptions) => Thing, end: (thing: Thing) => void) {
    this.#make = make
    this.#end = end
  }

  /** Every `take` must be followed by one `release`. */
  take(options: TokenizerOptions): Thing {
    for (const shared of this.#all) {
      if (!sameOptions(shared.options, options)) continue
      shared.users += 1
      return shared.thing
    }
    const thing = this.#make(options)
    this.#all.add({ options, thing, users: 1 })
    return thing
  }

  release(thing: Thing): void {
    for (const shared of this.#all) {
      if (shared.thing !== thing) continue
      shared.users -= 1
      if (shared.users > 0) return
      this.#all.delete(shared)
      this.#end(thing)
    }
  }
}

function sameOptions(one: TokenizerOptions, other: TokenizerOptions): boolean {
  return (
    (one.engine ?? 'auto') === (other.engine ?? 'auto') &&
    sameSource(one.wasm, other.wasm) &&
    sameSource(one.ranks, other.ranks) &&
    one.worker === other.worker
  )
}

function sameSource(one: unknown, other: unknown): boolean {
  return one === other || (one instanceof URL && other instanceof URL && one.href === other.href)
}
