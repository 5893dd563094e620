import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { packRanks, type RankPairs, SINGLE_BYTES } from './ranks.ts'

/**
 * Writes `ranks.generated.js` from the vocabulary that @dqbd/tiktoken ships; does nothing where the file was made
 * from the same vocabulary by the same code.
 */
const source = createRequire(import.meta.url).resolve('@dqbd/tiktoken/encoders/o200k_base.json')
const target = join(import.meta.dirname, 'ranks.generated.js')

const digest = createHash('sha256')
for (const input of [source, import.meta.filename, join(import.meta.dirname, 'ranks.ts')]) {
  digest.update(readFileSync(input))
}
const stamp = `// ${digest.digest('hex')}\n`

if (!existsSync(target) || !readFileSync(target, 'utf8').startsWith(stamp)) {
  const encoder = JSON.parse(readFileSync(source, 'utf8')) as { readonly bpe_ranks: string }
  const { size, digits } = packRanks(splitTokens(readTokens(encoder.bpe_ranks)))
  writeFileSync(
    target,
    `${stamp}export const packedRanks = { size: ${size}, digits: ${JSON.stringify(digits)} }\n`,
  )
}

/** Tokens by rank, a character for a byte. Each line of the text is `! <first rank> <base64> <base64> ...`. */
function readTokens(text: string): readonly string[] {
  const tokens: string[] = []
  for (const line of text.split('\n')) {
    const [, first, ...encoded] = line.split(' ')
    if (Number(first) !== tokens.length)
      throw new Error(`Expected ranks from ${tokens.length}, got ${first}.`)
    for (const token of encoded) tokens.push(Buffer.from(token, 'base64').toString('latin1'))
  }
  return tokens
}

function splitTokens(tokens: readonly string[]): RankPairs {
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
  return { size, left, right }
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
