import o200k from '@dqbd/tiktoken/encoders/o200k_base.json'
import { describe, expect, it } from 'vitest'
import { isGivenRanks } from './given-ranks.ts'
import { loadRanks } from './load-ranks.ts'
import { packTiktokenRanks } from './tiktoken-ranks.ts'

describe('a vocabulary that the app gives', () => {
  it('packs to what dogear ships', async () => {
    const shipped = await loadRanks()
    const packed = packTiktokenRanks(o200k)
    expect(packed.size).toBe(shipped.size)
    // Compared outside of `expect`, which would print two texts of 1 MB.
    expect(packed.digits === shipped.digits).toBe(true)
  }, 20_000)

  it.each([
    ['a gap in the ranks', '! 1 IQ=='],
    ['a first token of two bytes', '! 0 ISE='],
    ['another format', '{"a": 0}'],
  ])('throws for %s', (_, bpe_ranks) => {
    expect(() => packTiktokenRanks({ bpe_ranks })).toThrow(/Expected/)
  })

  it('is told from other values', () => {
    expect([o200k, { size: 1, digits: '((((((' }].map(isGivenRanks)).toEqual([true, true])
    expect([null, 'x', {}, { bpe_ranks: 1 }, { size: '1', digits: '' }].map(isGivenRanks)).toEqual(
      Array.from({ length: 5 }, () => false),
    )
  })
})
