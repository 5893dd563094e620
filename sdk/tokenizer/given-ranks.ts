import type { PackedRanks } from './ranks.ts'
import type { TiktokenRanks } from './tiktoken-ranks.ts'

/** A vocabulary in one of the two forms that dogear takes. */
export type GivenRanks = PackedRanks | TiktokenRanks

export function isGivenRanks(value: unknown): value is GivenRanks {
  if (typeof value !== 'object' || value === null) return false
  if ('bpe_ranks' in value) return typeof value.bpe_ranks === 'string'
  return (
    'size' in value && typeof value.size === 'number' && 'digits' in value && typeof value.digits === 'string'
  )
}
