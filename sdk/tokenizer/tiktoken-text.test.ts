import o200k from '@dqbd/tiktoken/encoders/o200k_base.json'
import { expect, it } from 'vitest'
import { loadRanks } from './load-ranks.ts'
import { toTiktokenText } from './tiktoken-text.ts'

it('gives the packed ranks back as the text that they were made from', async () => {
  const text = toTiktokenText(await loadRanks())
  // Compared outside of `expect`, which would print two texts of 2 MB.
  expect(text === o200k.bpe_ranks).toBe(true)
})
