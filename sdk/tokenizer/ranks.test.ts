import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { loadRanks } from './load-ranks.ts'
import { packRanks, SINGLE_BYTES, unpackRanks } from './ranks.ts'
import { readReferenceVocabulary } from './reference-encoder.ts'

describe('packed ranks', () => {
  it('hold every token of the reference at its rank', async () => {
    const { size, left, right } = unpackRanks(await loadRanks())
    const tokens: Buffer[] = []
    for (let rank = 0; rank < size; rank++) {
      const last = right[rank] ?? -1
      tokens.push(
        rank < SINGLE_BYTES
          ? Buffer.of(last)
          : Buffer.concat([tokens[left[rank] ?? -1] ?? Buffer.alloc(0), tokens[last] ?? Buffer.alloc(0)]),
      )
    }
    const [line = '', ...others] = readReferenceVocabulary().bpe_ranks.split('\n')
    const [, first, ...expected] = line.split(' ')
    expect({ first, others }).toEqual({ first: '0', others: [] })
    expect(size).toBe(199_998)
    const wrong = tokens.findIndex((token, rank) => token.toString('base64') !== expected[rank])
    expect(wrong, `token ${tokens[wrong]} instead of ${expected[wrong]}`).toBe(-1)
    expect(expected).toHaveLength(size)
  })

  it('come back as they were packed, in characters that need no escape', () => {
    const left = new Int32Array(SINGLE_BYTES)
    left.set([0, 1, 63, 64, 4_095, 4_096, 199_997, 262_143, 51, 52, 53])
    const packed = packRanks({ size: left.length, left, right: left.toReversed() })
    expect(unpackRanks(packed)).toEqual({ size: left.length, left, right: left.toReversed() })
    expect(packed.digits).toMatch(/^[ -~]*$/)
    expect(JSON.stringify(packed.digits)).toBe(`"${packed.digits}"`)
  })

  it.each([
    ['a digit is missing', 300, 1_799],
    ['there are too few for the single bytes', 255, 1_530],
    ['there are more than three digits can count', 262_145, 1_572_870],
  ])('are refused where %s', (_, size, length) => {
    expect(() => unpackRanks({ size, digits: '('.repeat(length) })).toThrow(
      `got ${length} digits for ${size}`,
    )
  })

  it('ship in at most 0.8 MB', () => {
    const chunk = readFileSync(new URL('./ranks.generated.js', import.meta.url))
    expect(gzipSync(chunk, { level: 9 }).length).toBeLessThanOrEqual(800_000)
  })
})
