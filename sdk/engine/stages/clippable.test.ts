import { describe, expect, it } from 'vitest'
import { clipBench } from '../../testing/clip-context.ts'
import { withCopy } from '../../testing/made-entries.ts'
import { clippableBodies } from './clippable.ts'

describe('the bodies that a clip may shorten', () => {
  const long = 'word '.repeat(20_000)

  it('[R134, R191] come largest first, by what the request holds of them', () => {
    const bench = clipBench({ contents: ['a'.repeat(2000), long, 'b'.repeat(3000)], maxChars: 2500 })
    const [first, second, third] = bench.results
    const bodies = clippableBodies(bench.context)
    expect(bodies.map(({ result, kept }) => [result.original.index, kept])).toEqual([
      [third, 2352],
      [second, 2345],
      [first, 2000],
    ])
  })

  it('[R137, R195] hold more than 1,024 of their source, and still fit the bound at 1,024', () => {
    const lengthsUnder = (maxChars: number) =>
      clippableBodies(
        clipBench({ contents: [long, 'c'.repeat(1025), 'd'.repeat(1024)], maxChars }).context,
      ).map(({ length }) => length)
    expect(lengthsUnder(4000)).toEqual([100_000, 1025])
    expect(lengthsUnder(1100)).toEqual([])
    const bench = clipBench({ contents: [long] })
    const [result = 0] = bench.results
    const keptOf = (allowance: number) =>
      clippableBodies({ ...bench.context, line: withCopy(bench.line, result, [allowance]) }).map(
        ({ kept }) => kept,
      )
    expect(keptOf(1025)).toEqual([1025])
    expect(keptOf(1024)).toEqual([])
  })

  it('have what the bound leaves of them searched once', () => {
    const bench = clipBench({ contents: [long, long.slice(1), long.slice(2)] })
    let markers = 0
    const rules = {
      maxChars: 4000,
      get contextTool() {
        markers++
        return 'context'
      },
    }
    expect(clippableBodies({ ...bench.context, rules })).toHaveLength(3)
    // A marker has some 160 characters, so many are tried, and each asks twice for the tool.
    expect(markers).toBeLessThan(3 * 2 * 170)
  })
})
