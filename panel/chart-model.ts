import { chartColumns, chartWindow } from './limits.ts'
import { type StackSegment, stackParts } from './parts.ts'
import type { RequestRow } from './select.ts'

/** One bar. It covers the requests from `from` to `to`, both included, and shows the most telling of them. */
export interface ChartColumn {
  readonly row: RequestRow
  readonly from: number
  readonly to: number
  readonly segments: readonly StackSegment[]
}

/** A stretch of requests under one value. */
export interface LevelRun {
  readonly from: number
  readonly to: number
  readonly value: number
}

export type LevelName = 'ceiling' | 'line' | 'target'

export interface ChartMark {
  readonly number: number
  /** Tokens at which the mark stands. */
  readonly size: number
}

export interface ChartModel {
  readonly columns: readonly ChartColumn[]
  readonly levels: Readonly<Record<LevelName, readonly LevelRun[]>>
  readonly folds: readonly ChartMark[]
  readonly refusals: readonly ChartMark[]
  readonly first: number
  readonly last: number
  /** Top of the scale, in tokens. A ceiling far above every size does not stretch it. */
  readonly top: number
}

/** A ceiling this many times above the largest request is left off the scale and named at its edge. */
const farAbove = 4
const headroom = 1.08

const moreThanAnySize = 1e12

/**
 * The newest requests, or a window of the same size that holds the viewed one. The window moves in halves, so
 * that the bars stay where they are while a person steps through them.
 */
export function chartWindowAround(rows: readonly RequestRow[], viewed: RequestRow): readonly RequestRow[] {
  const newest = Math.max(0, rows.length - chartWindow)
  const at = rows.indexOf(viewed)
  if (at === -1 || at >= newest) return rows.slice(newest)
  const half = chartWindow / 2
  const start = Math.max(0, Math.floor((at - half / 2) / half) * half)
  return rows.slice(start, start + chartWindow)
}

/** What the chart draws. Many requests share bars; every fold and every refusal keeps its own mark. */
export function chartModel(rows: readonly RequestRow[]): ChartModel {
  const columns = thin(rows, chartColumns)
  const largest = rows.reduce((size, { request }) => Math.max(size, tallest(request.decision)), 0)
  const levels = {
    ceiling: levelRuns(rows, 'ceiling'),
    line: levelRuns(rows, 'line'),
    target: levelRuns(rows, 'target'),
  }
  const inReach = [...levels.ceiling, ...levels.line].filter(({ value }) => value <= largest * farAbove)
  return {
    columns,
    levels,
    folds: rows.filter((row) => row.foldedEntries > 0).map(markOf),
    refusals: rows.filter((row) => row.outcome === 'refused').map(markOf),
    first: rows[0]?.number ?? 1,
    last: rows.at(-1)?.number ?? 1,
    top:
      Math.max(
        1,
        inReach.reduce((size, { value }) => Math.max(size, value), largest),
      ) * headroom,
  }
}

function tallest(decision: { readonly before: number; readonly after: number }): number {
  return Math.max(decision.before, decision.after)
}

function markOf(row: RequestRow): ChartMark {
  return { number: row.number, size: tallest(row.request.decision) }
}

function thin(rows: readonly RequestRow[], most: number): readonly ChartColumn[] {
  const share = Math.ceil(rows.length / most)
  const columns: ChartColumn[] = []
  for (let start = 0; start < rows.length; start += share) {
    const bucket = rows.slice(start, start + share)
    const row = bucket.reduce((best, next) => (weight(next) > weight(best) ? next : best))
    const { parts, after } = row.request.decision
    columns.push({
      row,
      from: bucket[0]?.number ?? row.number,
      to: bucket.at(-1)?.number ?? row.number,
      segments: stackParts(parts, after),
    })
  }
  return columns
}

/** Refusals outweigh folds, folds outweigh size. */
function weight(row: RequestRow): number {
  const kind = row.outcome === 'refused' ? 2 : row.foldedEntries > 0 ? 1 : 0
  return kind * moreThanAnySize + row.request.decision.after
}

function levelRuns(rows: readonly RequestRow[], name: LevelName): readonly LevelRun[] {
  const runs: { from: number; to: number; value: number }[] = []
  for (const row of rows) {
    const value = row.request.decision[name]
    if (value === null) continue
    const last = runs.at(-1)
    if (last && last.value === value && last.to === row.number - 1) last.to = row.number
    else runs.push({ from: row.number, to: row.number, value })
  }
  return runs
}

/** The row whose bar stands at a place on the number axis; the nearest one where it is outside. */
export function rowAt(columns: readonly ChartColumn[], place: number): RequestRow | undefined {
  const number = Math.round(place)
  return (columns.find((column) => number <= column.to) ?? columns.at(-1))?.row
}
