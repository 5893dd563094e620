import { describe, expect, it } from 'vitest'
import { chartModel } from './chart-model.ts'
import { columnPaths, levelLabels, levelPath, markPath } from './chart-paths.ts'
import { readSnapshot } from './reduce.ts'
import { requestRows } from './select.ts'
import { decision, foldedDecision, refusedDecision, snapshot } from './testing/journal-builder.ts'

const scale = {
  x: (number: number) => number * 10,
  y: (tokens: number) => 100 - tokens / 1_000,
  top: 100_000,
}

const modelOf = (decisions: ReturnType<typeof decision>[]) =>
  chartModel(requestRows(readSnapshot(snapshot({ decisions }))))

const rectangles = (path: string | undefined) => path?.match(/M[^z]*z/g) ?? []

describe('columnPaths', () => {
  it('makes one path per part, however many requests there are', () => {
    const { parts } = columnPaths(modelOf([1, 2, 3, 4, 5].map((number) => decision(number))).columns, scale)
    expect(parts.map(({ name }) => name)).toEqual(['system', 'result'])
    for (const { path } of parts) expect(rectangles(path)).toHaveLength(5)
  })

  it('outlines what a fold took away', () => {
    const { ghosts } = columnPaths(modelOf([decision(1), foldedDecision(2)]).columns, scale)
    expect(rectangles(ghosts)).toHaveLength(1)
    expect(ghosts).toMatch(/^M16 70v-30h/)
  })

  it('draws a refused request as one bar without parts', () => {
    const { parts, refused } = columnPaths(modelOf([refusedDecision(1)]).columns, scale)
    expect(parts).toEqual([])
    expect(rectangles(refused)).toHaveLength(1)
  })
})

describe('levelPath', () => {
  it('joins neighbouring runs by an upright and leaves a gap open', () => {
    const path = levelPath(
      [
        { from: 1, to: 2, value: 64_000 },
        { from: 3, to: 3, value: 48_000 },
        { from: 5, to: 5, value: 48_000 },
      ],
      scale,
    )
    expect(path).toBe('M5 36H25L25 52H35M45 52H55')
  })
})

describe('markPath', () => {
  it('draws a mark for each', () => {
    const marks = [
      { number: 1, size: 10_000 },
      { number: 2, size: 20_000 },
    ]
    expect(markPath(marks, scale, 'triangle').match(/M/g)).toHaveLength(2)
  })
})

describe('levelLabels', () => {
  it('keeps labels apart and on the plot', () => {
    const close = modelOf([decision(1, { ceiling: 10_000, line: 9_000, target: 8_000 })])
    const places = levelLabels(close, scale).map(({ y }) => y)
    expect(places).toHaveLength(3)
    expect((places[1] ?? 0) - (places[0] ?? 0)).toBeGreaterThanOrEqual(12)
    expect((places[2] ?? 0) - (places[1] ?? 0)).toBeGreaterThanOrEqual(12)
    expect(places[2]).toBeLessThanOrEqual(scale.y(0))
  })

  it('names the size of a ceiling that is off the scale', () => {
    const far = modelOf([decision(1, { after: 1_000, ceiling: 1_000_000 })])
    expect(levelLabels(far, { ...scale, top: far.top })[0]?.text).toBe('↑ 1M')
  })
})
