import { type PackedRanks, SINGLE_BYTES, unpackRanks } from './ranks.ts'

/** The ranks in the text form that @dqbd/tiktoken reads: `! <first rank> <base64> <base64> ...`, in order. */
export function toTiktokenText(ranks: PackedRanks): string {
  const { size, left, right } = unpackRanks(ranks)
  // A character for a byte, as `btoa` wants it.
  const tokens: string[] = []
  for (let rank = 0; rank < size; rank++) {
    const last = right[rank] ?? 0
    tokens.push(rank < SINGLE_BYTES ? String.fromCharCode(last) : `${tokens[left[rank] ?? 0]}${tokens[last]}`)
  }
  return `! 0 ${tokens.map((token) => btoa(token)).join(' ')}`
}
