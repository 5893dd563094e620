import type { MouseEvent } from 'react'
import {
  CartesianGrid,
  ComposedChart,
  usePlotArea,
  useXAxisInverseScale,
  useXAxisScale,
  useYAxisScale,
  XAxis,
  YAxis,
} from 'recharts'
import { type ChartModel, rowAt } from '../chart-model.ts'
import { type ChartScale, columnPaths, levelLabels, levelPath, markPath } from '../chart-paths.ts'
import { roundTicks } from '../chart-ticks.ts'
import { formatNumber, formatShortTokens } from '../format.ts'
import { stripedParts } from '../parts.ts'
import type { RequestRow } from '../select.ts'

export interface ChartProps {
  readonly model: ChartModel
  /** Number of the viewed request. */
  readonly viewed: number
  readonly onHover: (row: RequestRow | null) => void
  readonly onView: (row: RequestRow) => void
}

const tick = { fontSize: 11, fontFamily: 'system-ui, sans-serif', fill: 'currentColor' }
const noData: readonly object[] = []

/** Axes and grid by recharts; everything else one path per part through its scales, however many bars. */
export function Chart({ model, viewed, onHover, onView }: ChartProps) {
  const { first, last, top } = model
  return (
    <ComposedChart
      responsive
      className="chart-svg"
      style={{ width: '100%', height: '100%' }}
      data={noData}
      margin={{ top: 14, right: 58, bottom: 0, left: 0 }}
      accessibilityLayer={false}
    >
      <CartesianGrid vertical={false} stroke="var(--line)" />
      <XAxis
        dataKey="number"
        type="number"
        domain={[first - 0.5, last + 0.5]}
        allowDataOverflow
        allowDecimals={false}
        ticks={roundTicks(first, last, 8)}
        height={20}
        tick={tick}
        tickLine={false}
        tickFormatter={formatNumber}
        axisLine={{ stroke: 'var(--line-strong)' }}
      />
      <YAxis
        type="number"
        domain={[0, top]}
        allowDataOverflow
        width={46}
        ticks={roundTicks(0, top, 4)}
        tick={tick}
        tickLine={false}
        axisLine={false}
        tickFormatter={formatShortTokens}
      />
      <Drawing model={model} viewed={viewed} onHover={onHover} onView={onView} />
    </ComposedChart>
  )
}

function Drawing({ model, viewed, onHover, onView }: ChartProps) {
  const x = useXAxisScale()
  const y = useYAxisScale()
  const placeAt = useXAxisInverseScale()
  const area = usePlotArea()
  if (!x || !y || !placeAt || !area) return null
  const scale: ChartScale = {
    x: (number) => x(number) ?? 0,
    y: (tokens) => y(Math.min(tokens, model.top)) ?? 0,
    top: model.top,
  }
  const paths = columnPaths(model.columns, scale)
  const column = model.columns.find(({ from, to }) => from <= viewed && viewed <= to)

  function rowUnder(event: MouseEvent<SVGRectElement>): RequestRow | undefined {
    if (!area || !placeAt) return undefined
    const box = event.currentTarget.getBoundingClientRect()
    const place = placeAt(area.x + ((event.clientX - box.left) / box.width) * area.width)
    return typeof place === 'number' ? rowAt(model.columns, place) : undefined
  }

  return (
    <g>
      <HatchPatterns />
      {column && (
        <rect
          className="chart-viewed"
          x={scale.x(column.from - 0.5)}
          width={scale.x(column.to + 0.5) - scale.x(column.from - 0.5)}
          y={area.y}
          height={area.height}
        />
      )}
      {paths.parts.map(({ name, path }) => (
        <path
          key={name}
          className={`part-${name}`}
          fill={stripedParts.has(name) ? `url(#hatch-${name})` : undefined}
          d={path}
        />
      ))}
      <path className="chart-ghost" d={paths.ghosts} />
      <path fill="url(#hatch-refused)" d={paths.refused} />
      {(['target', 'line', 'ceiling'] as const).map((name) => (
        <path key={name} className={`chart-level level-${name}`} d={levelPath(model.levels[name], scale)} />
      ))}
      <path className="chart-fold-mark" d={markPath(model.folds, scale, 'triangle')} />
      <path className="chart-refusal-mark" d={markPath(model.refusals, scale, 'cross')} />
      {levelLabels(model, scale).map((label) => (
        <text key={label.name} className="chart-label" x={area.x + area.width + 4} y={label.y} dy="0.32em">
          {label.text}
        </text>
      ))}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the slider around the chart takes the keyboard */}
      <rect
        className="chart-hit"
        x={area.x}
        y={area.y}
        width={area.width}
        height={area.height}
        onPointerMove={(event) => onHover(rowUnder(event) ?? null)}
        onPointerLeave={() => onHover(null)}
        onClick={(event) => {
          const row = rowUnder(event)
          if (row) onView(row)
        }}
      />
    </g>
  )
}

/** Stripes stand for what is not the app's own text, and for what was not sent. */
function HatchPatterns() {
  return (
    <defs>
      {[...stripedParts, 'refused'].map((name) => (
        <pattern
          key={name}
          id={`hatch-${name}`}
          className={`hatch hatch-${name}`}
          width={5}
          height={5}
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect className="hatch-ground" width={5} height={5} />
          <rect className="hatch-stripe" width={2} height={5} />
        </pattern>
      ))}
    </defs>
  )
}
