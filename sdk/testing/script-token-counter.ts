import type { CountTokens } from '../ports.ts'
import { loadRanks } from '../tokenizer/load-ranks.ts'
import { createScriptCounter } from '../tokenizer/script-counter.ts'

export interface RecordingCounter extends CountTokens {
  /** Every text that was counted, in order. */
  readonly counted: readonly string[]
}

/** The exact counter without a worker, ready at once, that notes what it was asked. */
export async function scriptTokenCounter(): Promise<RecordingCounter> {
  const counter = createScriptCounter(await loadRanks())
  const counted: string[] = []
  return {
    ready: true,
    exact: true,
    counted,
    load: async () => undefined,
    count: async (texts) => {
      counted.push(...texts)
      return texts.map((text) => counter.count(text))
    },
    onProgress: () => () => undefined,
    onFallback: () => () => undefined,
    close: async () => undefined,
  }
}
