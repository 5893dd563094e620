import type { ChartColumn, ChartMark, ChartModel, LevelName, LevelRun } from './chart-model.ts'
import { formatShortTokens } from './format.ts'
import { type StackName, stackOrder } from './parts.ts'

/** Places of the chart in pixels. */
export interface ChartScale {
  readonly x: (number: number) => number
  readonly y: (tokens: number) => number
  /** Tokens at the top edge. */
  readonly top: number
}

export interface ColumnPaths {
  readonly parts: readonly { readonly name: StackName; readonly path: string }[]
  /** Outline of what a fold took away, from the size after it to the size before. */
  readonly ghosts: string
  /** Bars of requests that were not sent. */
  readonly refused: string
}

/** Pixels between two parts of a bar, so that neighbours part by more than their colour. */
const seam = 1
const widestBar = 28

/** One path per part over all columns. */
export function columnPaths(columns: readonly ChartColumn[], scale: ChartScale): ColumnPaths {
  const parts = new Map<StackName, string[]>()
  const ghosts: string[] = []
  const refused: string[] = []
  for (const column of columns) {
    const { left, width } = barAt(column, scale)
    const { before, after } = column.row.request.decision
    const end = scale.y(after)
    if (column.row.outcome === 'refused') {
      refused.push(rectangle({ left, width, bottom: scale.y(0), height: scale.y(0) - end }))
      continue
    }
    for (const segment of column.segments) {
      const bottom = scale.y(segment.from)
      const height = bottom - scale.y(segment.to)
      const drawn = height > 3 * seam ? height - seam : height
      const rects = parts.get(segment.name) ?? []
      rects.push(rectangle({ left, width, bottom, height: drawn }))
      parts.set(segment.name, rects)
    }
    if (before > after) ghosts.push(rectangle({ left, width, bottom: end, height: end - scale.y(before) }))
  }
  return {
    parts: stackOrder.flatMap((name) => {
      const rects = parts.get(name)
      return rects ? [{ name, path: rects.join('') }] : []
    }),
    ghosts: ghosts.join(''),
    refused: refused.join(''),
  }
}

function barAt({ from, to }: ChartColumn, scale: ChartScale): { left: number; width: number } {
  const start = scale.x(from - 0.5)
  const room = scale.x(to + 0.5) - start
  const width = Math.min(widestBar, room > 4 ? room - Math.min(3, room * 0.2) : room)
  return { left: start + (room - width) / 2, width }
}

interface Box {
  readonly left: number
  readonly width: number
  readonly bottom: number
  readonly height: number
}

function rectangle({ left, width, bottom, height }: Box): string {
  return `M${round(left)} ${round(bottom)}v${round(-height)}h${round(width)}v${round(height)}z`
}

function round(pixels: number): number {
  return Math.round(pixels * 100) / 100
}

/** A level as steps: flat over each request, upright between two that differ, open where there is none. */
export function levelPath(runs: readonly LevelRun[], scale: ChartScale): string {
  let end: number | null = null
  return runs
    .filter(({ value }) => value <= scale.top)
    .map((run) => {
      const joined = end === run.from - 0.5
      end = run.to + 0.5
      const start = `${joined ? 'L' : 'M'}${round(scale.x(run.from - 0.5))} ${round(scale.y(run.value))}`
      return `${start}H${round(scale.x(run.to + 0.5))}`
    })
    .join('')
}

/** A triangle or a cross above each marked size. Marks that stand close are drawn slim, so that each is seen. */
export function markPath(
  marks: readonly ChartMark[],
  scale: ChartScale,
  shape: 'triangle' | 'cross',
): string {
  const room = scale.x(1) - scale.x(0)
  const half = round(Math.min(4, Math.max(0.5, room / 2)))
  return marks
    .map(({ number, size }) => {
      const at = `M${round(scale.x(number))} ${round(scale.y(size) - 3)}`
      return shape === 'triangle' ? `${at}l${-half} -6h${2 * half}z` : `${at}m-3 -7l6 6m0 -6l-6 6`
    })
    .join('')
}

export interface LevelLabel {
  readonly name: LevelName
  readonly text: string
  readonly y: number
}

const labelNames: Readonly<Record<LevelName, string>> = {
  ceiling: 'ceiling',
  line: 'fold line',
  target: 'target',
}
const labelHeight = 12

/** Labels at the levels' ends, pushed apart where they would overlap; a level off the scale says so. */
export function levelLabels(model: ChartModel, scale: ChartScale): readonly LevelLabel[] {
  const labels: LevelLabel[] = []
  let lowest = Number.NEGATIVE_INFINITY
  for (const name of ['ceiling', 'line', 'target'] as const) {
    const run = model.levels[name].at(-1)
    if (!run) continue
    const off = run.value > scale.top
    const y = Math.max(off ? scale.y(scale.top) : scale.y(run.value), lowest + labelHeight)
    labels.push({ name, text: off ? `↑ ${formatShortTokens(run.value)}` : labelNames[name], y })
    lowest = y
  }
  const under = Math.max(0, lowest - scale.y(0))
  return labels.map((label) => ({ ...label, y: label.y - under }))
}
