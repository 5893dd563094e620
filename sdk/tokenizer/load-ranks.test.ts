import { beforeEach, describe, expect, it, vi } from 'vitest'

const ranks = { size: 1, digits: '(((((I' }
const chunk = vi.hoisted(() => ({ reads: 0, isMissing: false }))

vi.mock('./ranks.generated.js', () => ({
  get packedRanks() {
    chunk.reads++
    if (chunk.isMissing) throw new Error('the chunk is not there')
    return ranks
  },
}))

beforeEach(() => {
  vi.resetModules()
  chunk.reads = 0
  chunk.isMissing = false
})

describe('loadRanks', () => {
  it('loads the chunk once for all who ask', async () => {
    const { loadRanks } = await import('./load-ranks.ts')
    expect(await Promise.all([loadRanks(), loadRanks()])).toEqual([ranks, ranks])
    expect(await loadRanks()).toEqual(ranks)
    expect(chunk.reads).toBe(1)
  })

  it('tells all who asked of a failure, and tries again when asked again', async () => {
    const { loadRanks } = await import('./load-ranks.ts')
    chunk.isMissing = true
    const failed = await Promise.allSettled([loadRanks(), loadRanks()])
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    chunk.isMissing = false
    expect(await loadRanks()).toEqual(ranks)
  })
})
