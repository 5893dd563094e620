import { usePanel, usePanelTools } from '../context.ts'
import { formatDelta, formatDuration, formatTokens, unknown } from '../format.ts'
import type { PanelRequest } from '../reduce.ts'
import type { RequestRow } from '../select.ts'
import { describeCeilingSource, describeMethod, describeOutcome, describeRequest } from '../sentences.ts'
import { openTab } from '../store.ts'
import { type Fact, Facts } from '../ui/Facts.tsx'
import { PartsTable } from '../ui/PartsTable.tsx'

/** One request: why it was decided so, what it holds, and the numbers behind it. */
export function RequestDetail({ row }: { readonly row: RequestRow }) {
  const { request } = row
  const { decision } = request
  return (
    <article className="detail">
      <h2>
        <span className="quiet">#{row.number}</span> {describeOutcome(request)}
      </h2>
      <RequestFolds requestId={decision.requestId} />
      <h3>Why</h3>
      <ol className="sentences">
        {describeRequest(request).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ol>
      {decision.warnings.length > 0 && (
        <ul className="sentences warnings">
          {decision.warnings.map((warning) => (
            <li key={`${warning.code} ${warning.message}`}>
              {warning.message} <span className="quiet">{warning.code}</span>
            </li>
          ))}
        </ul>
      )}
      <h3>Sees</h3>
      <PartsTable parts={decision.parts} estimate={decision.after} />
      <h3>Numbers</h3>
      <Facts facts={factsOf(request)} />
    </article>
  )
}

function RequestFolds({ requestId }: { readonly requestId: string }) {
  const { store } = usePanelTools()
  const folds = usePanel((state) => state.record.folds)
  const fold = folds.find((candidate) => candidate.requestId === requestId)
  if (!fold) return null
  return (
    <button type="button" onClick={() => openTab(store, 'folds', { viewedFold: fold.id })}>
      Show what was folded
    </button>
  )
}

function factsOf({ decision, settlement }: PanelRequest): readonly Fact[] {
  const usage = settlement?.usage
  return [
    { name: 'Estimate', value: sizes(decision.before, decision.after) },
    { name: 'Ceiling', value: `${formatTokens(decision.ceiling)}, ${describeCeilingSource(decision)}` },
    { name: 'Fold line', value: formatTokens(decision.line) },
    { name: 'Target', value: formatTokens(decision.target) },
    { name: 'Measured as', value: describeMethod(decision) },
    { name: 'Counted × scale', value: `${formatTokens(decision.counted)} × ${decision.scale}` },
    { name: 'Reported input', value: formatTokens(usage?.input) },
    { name: 'From cache', value: formatTokens(usage?.cacheRead) },
    { name: 'Written to cache', value: formatTokens(usage?.cacheWrite) },
    { name: 'Output', value: formatTokens(usage?.output) },
    { name: 'Took', value: formatDuration(settlement?.ms) },
    { name: 'Model', value: decision.model ?? unknown },
    { name: 'Format', value: decision.format },
    { name: 'Attempt', value: decision.attempt },
    { name: 'Sent at', value: new Date(decision.at).toLocaleString() },
    { name: 'Request', value: <code>{decision.requestId}</code> },
    { name: 'Line', value: <code>{decision.lineId}</code> },
  ]
}

function sizes(before: number, after: number): string {
  if (before === after) return formatTokens(after)
  return `${formatTokens(before)} → ${formatTokens(after)} (${formatDelta(after - before)})`
}
