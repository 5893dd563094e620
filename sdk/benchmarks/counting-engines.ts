import { createGuardedCounter } from '../tokenizer/guarded-counter.ts'
import { loadRanks } from '../tokenizer/load-ranks.ts'
import { createReferenceEncoder } from '../tokenizer/reference-encoder.ts'
import { createScriptCounter } from '../tokenizer/script-counter.ts'

export type Count = (text: string) => number

export const SCRIPT = 'script counter'
export const WASM = '@dqbd/tiktoken'

/** Loads each counter of o200k_base as its users do. */
export const countingEngines: Readonly<Record<string, () => Promise<Count>>> = {
  [SCRIPT]: async () => {
    const counter = createScriptCounter(await loadRanks())
    return (text) => counter.count(text)
  },
  [WASM]: async () => {
    const encoder = createReferenceEncoder()
    return (text) => encoder.encode_ordinary(text).length
  },
  'gpt-tokenizer': async () => {
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
    return (text) => countTokens(text)
  },
  'ai-tokenizer': async () => {
    const [{ Tokenizer }, encoding] = await Promise.all([
      import('ai-tokenizer'),
      import('ai-tokenizer/encoding/o200k_base'),
    ])
    const tokenizer = new Tokenizer(encoding)
    return (text) => tokenizer.count(text)
  },
  'js-tiktoken': async () => {
    const [{ Tiktoken }, { default: ranks }] = await Promise.all([
      import('js-tiktoken/lite'),
      import('js-tiktoken/ranks/o200k_base'),
    ])
    const encoder = new Tiktoken(ranks)
    return (text) => encoder.encode(text).length
  },
}

/** WASM as dogear uses it: behind the guard that keeps long stretches from it. */
export async function guarded(count: Count): Promise<Count> {
  const stretches = createScriptCounter(await loadRanks())
  const counter = createGuardedCounter({ bulk: { count }, stretches })
  return (text) => counter.count(text)
}
