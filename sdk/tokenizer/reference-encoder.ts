import { createRequire } from 'node:module'
import { Tiktoken } from '@dqbd/tiktoken/lite'

/** What the script counter is measured against, in tests, generators and benchmarks only: @dqbd/tiktoken itself. */
export function createReferenceEncoder(): Tiktoken {
  const { bpe_ranks, pat_str } = readReferenceVocabulary()
  return new Tiktoken(bpe_ranks, {}, pat_str)
}

export interface ReferenceVocabulary {
  readonly bpe_ranks: string
  readonly pat_str: string
}

export function readReferenceVocabulary(): ReferenceVocabulary {
  return createRequire(import.meta.url)('@dqbd/tiktoken/encoders/o200k_base.json') as ReferenceVocabulary
}
