import { loadRanks } from '../tokenizer/load-ranks.ts'
import { createReferenceEncoder } from '../tokenizer/reference-encoder.ts'
import { createScriptCounter } from '../tokenizer/script-counter.ts'

export type Count = (text: string) => number

export const SCRIPT = 'script counter'

/** Loads each counter of o200k_base as its users do. */
export const countingEngines: Readonly<Record<string, () => Promise<Count>>> = {
  [SCRIPT]: async () => {
    const counter = createScriptCounter(await loadRanks())
    return (text) => counter.count(text)
  },
  '@dqbd/tiktoken': async () => {
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
