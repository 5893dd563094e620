import { describe, expect, it } from 'vitest'
import { foldToy, lineOf, type ToyFoldOptions } from '../testing/toy-fold.ts'
import type { FoldRecord, StageName } from './journal.ts'
import type { SummaryOutcome } from './plan.ts'
import type { Line } from './record.ts'
import type { Proposal, StageContext } from './stages/stage.ts'

/** Folds a line of twelve entries of ten tokens by one stage, which makes of it what it is told. */
function foldBy(
  name: StageName,
  propose: (line: Line, context: StageContext) => Partial<Proposal>,
  options: Partial<ToyFoldOptions> = {},
) {
  const line = lineOf('uacracracrac')
  const { folds, trace } = foldToy(line, {
    ceiling: 130,
    target: 0.1,
    ...options,
    stages: {
      ordinary: [
        {
          name,
          keptTail: null,
          // biome-ignore lint/correctness/useYield: nothing is asked for.
          *propose(context) {
            return { view: line.view.slice(1), added: [], taken: [], ...propose(line, context) }
          },
        },
      ],
    },
  })
  return { fold: folds[0], trace }
}

describe('what is recorded of a repair', () => {
  it('[R300, R333, R365] says which results were cleared, at most fifty of them, and where those begin that stay', () => {
    const cleared = Array.from({ length: 60 }, (_, index) => ({ index, chars: 100 + index }))
    const { fold, trace } = foldBy('prune', () => ({ cleared, prunedBefore: 9 }))
    expect(fold).toMatchObject({
      stage: 'prune',
      clearedTotal: 60,
      prunedBefore: 9,
      summarySource: null,
      summaryUsage: null,
      messagesFolded: 0,
      outcome: 'landed',
    } satisfies Partial<FoldRecord>)
    expect(fold?.cleared).toEqual(cleared.slice(0, 50))
    expect(fold).not.toHaveProperty('compactedBefore')
    expect(trace.at(-1)).toMatchObject({ indexes: cleared.map(({ index }) => index) })
  })

  it('[R342, R365] says where what stays begins, and who wrote in whose place', () => {
    const fallback = { from: 'delegate', reason: 'timeout' } as const
    const record = (summary: SummaryOutcome) =>
      foldBy('summary', () => ({ taken: [0], compactedBefore: 1, summary })).fold
    expect(record({ type: 'written', text: 't', source: 'model', usage: null, fallback })).toMatchObject({
      compactedBefore: 1,
      summarySource: 'model',
      fallback,
    })
    expect(record({ type: 'failed', usage: null, fallback })).toMatchObject({
      summarySource: 'host',
      fallback,
    })
    const plain = record({ type: 'written', text: 't', source: 'model', usage: null })
    expect(plain).not.toHaveProperty('fallback')
    expect(plain).not.toHaveProperty('cleared')
    expect(plain).not.toHaveProperty('prunedBefore')
  })

  it('[R360] tells a stage what the reader of a summary takes, at the factor of the request', () => {
    const seen: StageContext[] = []
    const look = (_: Line, context: StageContext) => {
      seen.push(context)
      return {}
    }
    foldBy('summary', look, { readerLimit: 50 })
    foldBy('summary', look, { readerLimit: 50, scale: { reported: 2, counted: 1 } })
    foldBy('summary', look)
    expect(seen.map(({ readerCounted }) => readerCounted)).toEqual([50, 25, undefined])
    expect(seen[0]?.requestId).toBe('q')
  })
})
