import { type KeyboardEvent, lazy, Suspense, useMemo, useState } from 'react'
import { chartModel, chartWindowAround } from '../chart-model.ts'
import { formatNumber, formatTokens } from '../format.ts'
import { chartWindow } from '../limits.ts'
import { moveWithin } from '../move.ts'
import { stackLabels, stackOrder, stackParts } from '../parts.ts'
import type { RequestRow } from '../select.ts'
import { describeOutcome } from '../sentences.ts'
import { Choice } from '../ui/Choice.tsx'
import { PartsGrid } from './PartsGrid.tsx'

const Chart = lazy(() => import('./Chart.tsx').then((module) => ({ default: module.Chart })))

export interface ChartSectionProps {
  readonly rows: readonly RequestRow[]
  readonly viewed: RequestRow
  readonly onView: (row: RequestRow) => void
}

/** Size of every request against ceiling, fold line and target, as a chart or as a table. */
export function ChartSection({ rows, viewed, onView }: ChartSectionProps) {
  const [extent, setExtent] = useState<'newest' | 'all'>('newest')
  const [form, setForm] = useState<'chart' | 'table'>('chart')
  const [hovered, setHovered] = useState<RequestRow | null>(null)
  const inWindow = useMemo(
    () => (extent === 'all' ? rows : chartWindowAround(rows, viewed)),
    [rows, extent, viewed],
  )
  const model = useMemo(() => chartModel(inWindow), [inWindow])

  function onKeyDown(event: KeyboardEvent): void {
    const at = rows.findIndex(({ key }) => key === viewed.key)
    const to = chartKeys[event.key]
    const next = to === undefined ? undefined : moveWithin(rows, at, to)
    if (!next) return
    event.preventDefault()
    event.stopPropagation()
    onView(next)
  }

  return (
    <section className="chart" aria-label="Request sizes">
      <div className="toolbar">
        <h2>Request size, tokens</h2>
        {rows.length > chartWindow && (
          <Choice
            label="Requests in the chart"
            options={[
              { value: 'newest', label: `${chartWindow}` },
              { value: 'all', label: `All ${formatNumber(rows.length)}` },
            ]}
            value={extent}
            onChange={setExtent}
          />
        )}
        <Choice
          label="Form"
          options={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
          value={form}
          onChange={setForm}
        />
      </div>
      {form === 'table' ? (
        <div className="chart-table">
          <PartsGrid rows={inWindow} viewed={viewed.key} onView={onView} />
        </div>
      ) : (
        <>
          <div
            className="chart-plot"
            role="slider"
            aria-label="Viewed request"
            aria-valuemin={rows[0]?.number ?? 1}
            aria-valuemax={rows.at(-1)?.number ?? 1}
            aria-valuenow={viewed.number}
            aria-valuetext={`Request ${viewed.number}. ${describeOutcome(viewed.request)}`}
            tabIndex={0}
            onKeyDown={onKeyDown}
          >
            <Suspense fallback={<p className="empty">Drawing…</p>}>
              <Chart model={model} viewed={viewed.number} onHover={setHovered} onView={onView} />
            </Suspense>
          </div>
          <Legend row={hovered ?? viewed} />
        </>
      )}
    </section>
  )
}

const chartKeys: Readonly<Record<string, -1 | 1 | -10 | 10 | 'first' | 'last'>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -10,
  PageDown: 10,
  Home: 'first',
  End: 'last',
}

/** Names the colours, and reads the bar that is pointed at or viewed. */
function Legend({ row }: { readonly row: RequestRow }) {
  const { parts, after } = row.request.decision
  const sizes = new Map(stackParts(parts, after).map((segment) => [segment.name, segment.tokens]))
  return (
    <div className="legend">
      <span>
        <b>#{row.number}</b> {describeOutcome(row.request)}
      </span>
      {stackOrder
        .filter((name) => sizes.has(name))
        .map((name) => (
          <span key={name}>
            <span className={`swatch part-${name}`} />
            <span className="quiet">{stackLabels[name]}</span>{' '}
            <span className="value">{formatTokens(sizes.get(name))}</span>
          </span>
        ))}
    </div>
  )
}
