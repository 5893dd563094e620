import { useEffect, useState } from 'react'
import type { Dogear } from '../sdk/index.ts'

const phases = {
  ranks: 'Loading the tokenizer’s ranks…',
  wasm: 'Starting the tokenizer…',
  ready: null,
} as const

/** What the tokenizer is doing, in words; null while it is not loading. */
export function useTokenizerLoading(dogear: Dogear): string | null {
  const [words, setWords] = useState<string | null>(null)
  useEffect(
    () =>
      dogear.subscribe((event) => {
        if (event.type === 'tokenizer-progress') setWords(phases[event.phase])
      }),
    [dogear],
  )
  return words
}
