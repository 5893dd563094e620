import type { CSSProperties } from 'react'
import type { FoldPreview } from '../../sdk/branch.ts'
import { usePanel } from '../context.ts'
import { formatTokens } from '../format.ts'
import { stackLabels, stackParts } from '../parts.ts'
import type { PreviewState } from '../store.ts'

/** The next request as the engine would send it now, against target, fold line and ceiling. */
export function Meter() {
  const preview = usePanel((state) => state.preview)
  const known = preview.type === 'known' ? preview.preview : null
  return (
    <div className={`meter ${known ? `meter-${known.action}` : ''}`}>
      <p className="meter-text">
        <span className="quiet">Next request </span>
        {meterText(preview)}
      </p>
      {known ? <MeterBar preview={known} /> : <div className="meter-bar" />}
    </div>
  )
}

function meterText(state: PreviewState): string {
  if (state.type === 'waiting') return 'is being measured'
  if (state.type === 'refused') return `could not be measured: ${state.reason}`
  if (!state.preview) return 'is not known yet: send one message'
  const { before, after, ceiling, line, action } = state.preview
  if (ceiling === null) return `${formatTokens(after)} (est.) · no ceiling is in force`
  const size = `${formatTokens(after)} of ${formatTokens(ceiling)} (est.)`
  if (action === 'refuse' || after > ceiling) return `${size} · over the ceiling: it will be refused`
  if (action === 'fold') return `${size} · folds now, from ${formatTokens(before)}`
  const toLine = line === null ? 0 : line - Math.ceil(after)
  const folds = toLine > 0 ? `folds in ${formatTokens(toLine)}` : 'past the fold line'
  return `${size} · ${folds} · refuses in ${formatTokens(ceiling - Math.ceil(after))}`
}

function MeterBar({ preview }: { readonly preview: FoldPreview }) {
  const { after, ceiling, line, target, parts } = preview
  const scale = Math.max(after, ceiling ?? 0, 1)
  const ticks = [
    { name: 'target', value: target },
    { name: 'line', value: line },
    { name: 'ceiling', value: ceiling },
  ] as const
  return (
    // biome-ignore lint/a11y/useSemanticElements: a native meter has no parts and no ticks
    <div
      className="meter-bar"
      role="meter"
      aria-label="Size of the next request in tokens"
      aria-valuemin={0}
      aria-valuemax={ceiling ?? Math.ceil(after)}
      aria-valuenow={Math.ceil(after)}
    >
      {stackParts(parts, after).map((segment) => (
        <span
          key={segment.name}
          className={`meter-part part-${segment.name}`}
          style={span(segment.from / scale, segment.to / scale)}
          title={`${stackLabels[segment.name]} ${formatTokens(segment.tokens)}`}
        />
      ))}
      {ticks.map(
        ({ name, value }) =>
          value !== null && (
            <span
              key={name}
              className={`meter-tick tick-${name}`}
              style={{ left: `${(value / scale) * 100}%` }}
              title={`${tickLabels[name]} ${formatTokens(value)}`}
            />
          ),
      )}
    </div>
  )
}

const tickLabels = { target: 'Target', line: 'Fold line', ceiling: 'Ceiling' } as const

function span(from: number, to: number): CSSProperties {
  return { left: `${from * 100}%`, width: `${(to - from) * 100}%` }
}
