import { type PackedRanks, packRanks, SINGLE_BYTES } from './ranks.ts'

/** A vocabulary as @dqbd/tiktoken and js-tiktoken ship it: lines of `! <first rank> <base64> <base64> ...`. */
export interface TiktokenRanks {
  readonly bpe_ranks: string
}

/** Packs a vocabulary, which takes most of a second. Throws where it is none, or not one that joins two by two. */
export function packTiktokenRanks({ bpe_ranks }: TiktokenRanks): PackedRanks {
  const tokens = readTokens(bpe_ranks)
  const ranks = new Map(tokens.map((token, rank) => [token, rank]))
  const size = tokens.length
  const left = new Int32Array(size)
  const right = new Int32Array(size)
  tokens.forEach((token, rank) => {
    if (rank < SINGLE_BYTES) {
      if (token.length !== 1) throw new Error(`Expected a single byte at rank ${rank}.`)
      right[rank] = token.charCodeAt(0)
      return
    }
    const [first, second, ...rest] = mergeUpTo(token, rank, ranks)
    if (first === undefined || second === undefined || rest.length > 0) {
      throw new Error(`Expected the token of rank ${rank} to be a join of two tokens of lower rank.`)
    }
    left[rank] = first
    right[rank] = second
  })
  return packRanks({ size, left, right })
}

/** Tokens by rank, a character for a byte. */
function readTokens(text: string): readonly string[] {
  const tokens: string[] = []
  for (const line of text.split('\n')) {
    const [, first, ...encoded] = line.split(' ')
    if (Number(first) !== tokens.length) {
      throw new Error(`Expected ranks from ${tokens.length}, got ${first}.`)
    }
    for (const token of encoded) tokens.push(atob(token))
  }
  return tokens
}

/** Byte pair encoding of a token with the ranks below its own. */
function mergeUpTo(token: string, limit: number, ranks: ReadonlyMap<string, number>): readonly number[] {
  const parts = [...token]
  for (;;) {
    let lowest = limit
    let at = -1
    for (let i = 0; i + 1 < parts.length; i++) {
      const rank = ranks.get(`${parts[i]}${parts[i + 1]}`)
      if (rank !== undefined && rank < lowest) {
        lowest = rank
        at = i
      }
    }
    if (at < 0) return parts.map((part) => ranks.get(part) ?? -1)
    parts.splice(at, 2, `${parts[at]}${parts[at + 1]}`)
  }
}
