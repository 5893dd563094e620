import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chartModel, chartWindowAround, rowAt } from './chart-model.ts'
import { chartColumns, chartWindow } from './limits.ts'
import { readSnapshot } from './reduce.ts'
import { requestRows } from './select.ts'
import { decision, foldedDecision, refusedDecision, snapshot } from './testing/journal-builder.ts'

const rowsOf = (decisions: ReturnType<typeof decision>[]) =>
  requestRows(readSnapshot(snapshot({ decisions })))

describe('chartModel', () => {
  it('draws one column per request while they fit', () => {
    const model = chartModel(rowsOf([decision(1), decision(2), decision(3)]))
    expect(model.columns.map(({ from, to }) => [from, to])).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
    ])
  })

  it('steps the ceiling where it changes and leaves it open where there is none', () => {
    const model = chartModel(
      rowsOf([
        decision(1),
        decision(2),
        decision(3, { ceiling: 48_000 }),
        decision(4, { ceiling: null }),
        decision(5, { ceiling: 48_000 }),
      ]),
    )
    expect(model.levels.ceiling).toEqual([
      { from: 1, to: 2, value: 64_000 },
      { from: 3, to: 3, value: 48_000 },
      { from: 5, to: 5, value: 48_000 },
    ])
  })

  it('leaves room for the size before a fold', () => {
    const model = chartModel(rowsOf([foldedDecision(1, { before: 200_000, after: 30_000 })]))
    expect(model.top).toBeGreaterThan(200_000)
  })

  it('is not flattened by a ceiling far above every size', () => {
    const model = chartModel(rowsOf([decision(1, { after: 20_000, ceiling: 1_000_000 })]))
    expect(model.top).toBeLessThan(30_000)
  })

  it('thins out to the cap, and never drops a fold or a refusal (seed 2026)', () => {
    const kind = fc.constantFrom('pass', 'pass', 'pass', 'pass', 'fold', 'refuse')
    fc.assert(
      fc.property(fc.array(kind, { minLength: 1, maxLength: 2_500, size: 'max' }), (kinds) => {
        const rows = rowsOf(
          kinds.map((name, at) =>
            name === 'fold'
              ? foldedDecision(at + 1)
              : name === 'refuse'
                ? refusedDecision(at + 1)
                : decision(at + 1, { after: 1_000 + ((at * 7_919) % 90_000) }),
          ),
        )
        const model = chartModel(rows)
        expect(model.columns.length).toBeLessThanOrEqual(chartColumns)
        expect(model.folds.map(({ number }) => number)).toEqual(
          kinds.flatMap((name, at) => (name === 'fold' ? [at + 1] : [])),
        )
        expect(model.refusals.map(({ number }) => number)).toEqual(
          kinds.flatMap((name, at) => (name === 'refuse' ? [at + 1] : [])),
        )
        for (const { row, from, to } of model.columns) {
          const here = rows.slice(from - 1, to)
          if (here.some(({ outcome }) => outcome === 'refused')) expect(row.outcome).toBe('refused')
          else if (here.some(({ outcome }) => outcome === 'folded')) expect(row.outcome).toBe('folded')
          else expect(row.request.decision.after).toBe(Math.max(...here.map((r) => r.request.decision.after)))
        }
      }),
      { seed: 2026, numRuns: 30 },
    )
  })

  it('covers every request with exactly one column', () => {
    const rows = rowsOf(Array.from({ length: 1_201 }, (_, at) => decision(at + 1)))
    const { columns } = chartModel(rows)
    expect(columns[0]?.from).toBe(1)
    expect(columns.at(-1)?.to).toBe(1_201)
    for (const [at, column] of columns.entries())
      if (at > 0) expect(column.from).toBe((columns[at - 1]?.to ?? 0) + 1)
  })
})

describe('chartWindowAround', () => {
  const rows = rowsOf(Array.from({ length: 1_000 }, (_, at) => decision(at + 1)))
  const around = (position: number) => {
    const row = rows[position]
    return row ? chartWindowAround(rows, row) : []
  }

  it('is the newest requests while one of them is viewed', () => {
    expect(around(999).map(({ number }) => number)).toEqual(
      rows.slice(-chartWindow).map(({ number }) => number),
    )
    expect(around(1_000 - chartWindow)).toEqual(around(999))
  })

  it('always holds the viewed request and is always full', () => {
    for (let position = 0; position < rows.length; position++) {
      expect(around(position)).toHaveLength(chartWindow)
      expect(around(position)).toContain(rows[position])
    }
  })

  it('leaves room to step to either side of the viewed request', () => {
    for (let position = chartWindow; position < 1_000 - chartWindow; position++) {
      const at = around(position).findIndex(({ number }) => number === position + 1)
      expect(at).toBeGreaterThanOrEqual(chartWindow / 4)
      expect(at).toBeLessThan((chartWindow * 3) / 4)
    }
  })

  it('stays while a person steps to a neighbour, but for one step in half a window', () => {
    let moves = 0
    for (let position = 1; position < rows.length; position++)
      if (around(position)[0] !== around(position - 1)[0]) moves += 1
    expect(moves).toBeLessThanOrEqual(Math.ceil(rows.length / (chartWindow / 2)))
  })
})

describe('rowAt', () => {
  const { columns } = chartModel(rowsOf([decision(1), decision(2), decision(3)]))

  it('finds the bar under a place, and the outermost one beyond the ends', () => {
    expect(rowAt(columns, 2.4)?.number).toBe(2)
    expect(rowAt(columns, 2.6)?.number).toBe(3)
    expect(rowAt(columns, -5)?.number).toBe(1)
    expect(rowAt(columns, 99)?.number).toBe(3)
  })
})
