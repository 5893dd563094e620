import { describe, expect, it } from 'vitest'
import { clipBench, landed } from '../../testing/clip-context.ts'
import { withCopy } from '../../testing/made-entries.ts'
import { codePoints } from '../text.ts'

const long = Array.from({ length: 12_000 }, (_, line) => `line ${line}`)
  .join('\n')
  .slice(0, 100_045)

function markersIn(content: unknown): number {
  return String(content).match(/characters omitted/g)?.length ?? 0
}

describe('a clip under a bound on result bodies', () => {
  it('[R195, R196, R137] has nothing to take where the bound leaves less than the floor', () => {
    const bench = clipBench({ contents: [long, long.slice(0, 5000)], maxChars: 1024 })
    expect(bench.propose(100_000)).toBeNull()
  })

  it('[R195] cuts to 1,024 where the bound leaves more, and leaves a body of 900 whole', () => {
    const bench = clipBench({ contents: [long, long.slice(0, 900)], maxChars: 4000 })
    expect(bench.propose(100_000)?.clipped).toEqual([{ index: bench.results[0], chars: 100_045, kept: 1024 }])
    const [text, short] = bench.sent(landed(bench.line, bench.propose(100_000)))
    expect(short).toBe(long.slice(0, 900))
    expect(text).toContain('99021 of 100045 characters omitted: 768-99789.')
    expect(text).toContain('limit=4000)')
  })

  it('[R191] takes the largest by what the request holds of it, and the oldest of equals', () => {
    const bench = clipBench({ contents: [long, long.slice(0, 3990), long], maxChars: 4000 })
    const [first, whole, third] = bench.results
    const clipped = bench.propose(100_000)?.clipped
    expect(clipped?.map(({ index }) => index)).toEqual([whole, first, third])
  })

  it('[R192, R194, R197, R373] starts from what the bound leaves of a body: a small deficit cuts a little of that', () => {
    for (const maxChars of [4000, 20_000]) {
      const bench = clipBench({ contents: [long], maxChars })
      const before = bench.context.size.counted
      const visible = maxChars === 4000 ? 3845 : 19_842
      const proposal = bench.propose(40)
      const kept = proposal?.clipped?.[0]?.kept ?? 0
      expect(kept).toBeLessThan(visible)
      expect(kept).toBeGreaterThan(visible - 400)
      const after = bench.sizeOf(landed(bench.line, proposal)).counted
      expect(before - after).toBeGreaterThanOrEqual(40)
      expect(before - after).toBeLessThan(100)
    }
  })

  it('[R192, R194] proposes from what the request holds, its marker with it', () => {
    const bench = clipBench({ contents: ['a'.repeat(100_045)], maxChars: 4000, wordsOnly: true })
    const proposal = bench.propose(40)
    expect(bench.measured()).toBe(1)
    const [text = ''] = bench.sent(landed(bench.line, proposal))
    expect(String(text)).toHaveLength(4000 - 160)
  })

  it('[R187, R203, R373] takes nothing from an older copy that the bound has taken already', () => {
    const bench = clipBench({ contents: [long], maxChars: 4000 })
    const [result = 0] = bench.results
    const line = withCopy(bench.line, result, [20_000])
    expect(bench.sent(line)).toEqual(bench.sent(bench.line))
    const proposal = bench.propose(40, { line })
    expect(proposal?.clipped).toMatchObject([{ index: result, chars: 100_045 }])
    expect(proposal?.clipped?.[0]?.kept).toBeLessThan(3845)
    const cut = bench.sent(landed(line, proposal))
    expect(markersIn(cut)).toBe(1)
    expect(codePoints(String(cut))).toBeLessThan(4000)
    expect(bench.propose(100_000, { line: withCopy(bench.line, result, [1024]) })).toBeNull()
  })

  it('[R199] makes no cut of 3,950 that would make it longer, and the first that shortens it is under 3,800', () => {
    const bench = clipBench({ contents: [long.slice(0, 3950)], maxChars: 4000 })
    const proposal = bench.propose(1)
    expect(proposal?.clipped?.[0]?.kept).toBeLessThanOrEqual(3800)
    expect(proposal?.clipped?.[0]?.kept).toBeGreaterThan(3600)
    expect(bench.sizeOf(landed(bench.line, proposal)).counted).toBeLessThan(bench.context.size.counted)
  })

  it('[R185, R201] records what a copy shows where the nearest count does not fit with its marker', () => {
    // 876 and 878 of these 1,877 fit the bound, 877 does not.
    const bench = clipBench({ contents: [long.slice(0, 1877)], maxChars: 1024 })
    const [result = 0] = bench.results
    const shown = (kept: number) => String(bench.sent(withCopy(bench.line, result, [kept]))[0])
    const omitted = (text: string) => Number(/\[(\d+) of/.exec(text)?.[1])
    expect(omitted(shown(877))).toBe(omitted(shown(876)))
    expect(omitted(shown(878))).toBe(999)
  })

  it('[R193, R201, R373] cuts several bodies of one result and each as it is counted with the others', () => {
    const contents = [
      JSON.stringify({ out: long.slice(0, 50_000), list: Array(3000).fill(1), log: long.slice(0, 9000) }),
    ]
    const bench = clipBench({ contents, maxChars: 4000 })
    const before = bench.context.size.counted
    const proposal = bench.propose(1000)
    const line = landed(bench.line, proposal)
    expect(before - bench.sizeOf(line).counted).toBeGreaterThanOrEqual(1000)
    const kept = proposal?.clipped?.map((body) => body.kept) ?? []
    expect(kept.length).toBeGreaterThan(1)
    expect(kept.slice(0, -1).every((count) => count === 1024)).toBe(true)
    const values: readonly unknown[] = Object.values(JSON.parse(String(bench.sent(line)[0])))
    for (const value of values) {
      expect(codePoints(String(value))).toBeLessThanOrEqual(4000)
      expect(markersIn(value)).toBe(1)
    }
    const held = proposal?.added[0]?.copy?.kept ?? []
    for (const [ordinal, value] of values.entries()) {
      const text = String(value)
        .replace('[JSON preview] ', '')
        .replace(/\n\[.*\]\n/, '')
      if (held[ordinal] !== null) expect(codePoints(text)).toBe(held[ordinal])
    }
  })

  it('[R179, R195, R198] leaves a body alone that fits whole and would not with a marker and its floor', () => {
    const bench = clipBench({ contents: [long.slice(0, 1100)], maxChars: 1100 })
    expect(bench.sent(bench.line)).toEqual([long.slice(0, 1100)])
    expect(bench.propose(100_000)).toBeNull()
  })

  it('[R172, R188] leaves alone what no cut brings under the bound', () => {
    const bench = clipBench({ contents: [long], maxChars: 100 })
    expect(bench.propose(100_000)).toBeNull()
  })

  it('[R272, R193] cuts a body of the protected first round under the bound that it goes on with', () => {
    const bench = clipBench({ contents: [long, long], maxChars: 20_000 })
    const [first = 0] = bench.results
    const decided = { included: true, hash: '', ceiling: 1, budget: 1, counted: 1, at: 1, requestId: 'q' }
    const line = {
      ...bench.line,
      firstRound: {
        ...decided,
        scale: { reported: 1, counted: 1 },
        members: [first],
        maxChars: 4000,
        projectionVersion: 1,
      },
    }
    expect(bench.sent(line).map((text) => codePoints(String(text)))).toEqual([4000, 20_000])
    const proposal = bench.propose(100_000, { line })
    expect(proposal?.clipped?.map(({ index }) => index)).toEqual([first + 1, first])
    const cut = landed(line, proposal)
    expect(String(bench.sent(cut)[0])).toContain('limit=4000)')
    expect(cut.record.at(-2)?.chars).toBe(codePoints(String(bench.sent(cut)[0])))
    const none = { ...line, firstRound: { ...line.firstRound, maxChars: null } }
    expect(bench.sent(none).map((text) => codePoints(String(text)))).toEqual([100_045, 20_000])
  })

  it('[R272] goes on with that bound where there is none any more, and where a copy stands for the member', () => {
    const bench = clipBench({ contents: [long, long] })
    const [first = 0] = bench.results
    const decided = { included: true, hash: '', ceiling: 1, budget: 1, counted: 1, at: 1, requestId: 'q' }
    const firstRound = {
      ...decided,
      scale: { reported: 1, counted: 1 },
      members: [first],
      maxChars: 4000,
      projectionVersion: 1,
    }
    const lengths = (line: typeof bench.line) => bench.sent(line).map((text) => codePoints(String(text)))
    expect(lengths({ ...bench.line, firstRound })).toEqual([4000, 100_045])
    const line = withCopy(bench.line, first, [50_000])
    const members = [line.record.length - 1]
    expect(lengths({ ...line, firstRound: { ...firstRound, members } })).toEqual([4000, 100_045])
  })
})
