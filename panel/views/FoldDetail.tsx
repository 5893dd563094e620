import { usePanelTools } from '../context.ts'
import { formatCount, formatDelta, formatNumber, formatTokens, unknown } from '../format.ts'
import { shownCalls } from '../limits.ts'
import type { FoldRow } from '../select.ts'
import { describeFold, describeReason, describeStage, describeSummary } from '../sentences.ts'
import { openTab } from '../store.ts'
import { Facts } from '../ui/Facts.tsx'
import { RestoreButton } from './RestoreButton.tsx'

/** One fold: why, what it removed, what stands there instead, and the way back. */
export function FoldDetail({ row }: { readonly row: FoldRow }) {
  const { store } = usePanelTools()
  const { fold, request } = row
  const { noteIndex } = fold
  const landed = fold.outcome === 'landed'
  return (
    <article className="detail">
      <h2>
        <span className="quiet">Fold {row.number}</span> · {describeStage(fold.stage)}
      </h2>
      <p>{describeFold(fold)}</p>
      <div className="actions">
        {landed && <RestoreButton command={{ type: 'restore-fold', foldId: fold.id }} label="Restore all" />}
        {request && (
          <button type="button" onClick={() => openTab(store, 'requests', { viewedRequest: request.key })}>
            Show request {request.number}
          </button>
        )}
      </div>
      <h3>Removed</h3>
      <Removed fold={fold} />
      <h3>Stands there instead</h3>
      {noteIndex === undefined ? (
        <p className="quiet">
          {fold.clipped
            ? 'The head and the tail of each, around a line that says how to read the rest.'
            : fold.cleared
              ? 'A line in the place of each, that says how to read it again.'
              : 'Nothing: no note was made.'}
        </p>
      ) : (
        <p>
          A note that lists {formatCount(fold.callsTotal, 'call')}; summary: {describeSummary(fold)}.{' '}
          <button type="button" onClick={() => openTab(store, 'messages', { viewedEntry: noteIndex })}>
            Show note {noteIndex}
          </button>
        </p>
      )}
      <h3>Numbers</h3>
      <Facts
        facts={[
          {
            name: 'Size',
            value: `${formatTokens(fold.before)} → ${formatTokens(fold.after)} (${formatDelta(fold.after - fold.before)})`,
          },
          { name: 'Ceiling', value: formatTokens(fold.ceiling) },
          { name: 'Trigger', value: describeReason(fold.reason) },
          { name: 'Kept at the end', value: fold.keptTail ?? unknown },
          { name: 'Scale', value: fold.scale },
          { name: 'Summary', value: describeSummary(fold) },
          ...(fold.summaryUsage
            ? [{ name: 'Summary request', value: `${formatTokens(fold.summaryUsage.input ?? null)} in` }]
            : []),
          { name: 'Stage', value: <code>{fold.stage}</code> },
          { name: 'Fold', value: <code>{fold.id}</code> },
        ]}
      />
    </article>
  )
}

function Removed({ fold }: { readonly fold: FoldRow['fold'] }) {
  if (fold.clipped) return <ClippedResults fold={fold} />
  return fold.cleared ? <ClearedResults fold={fold} /> : <FoldedCalls fold={fold} />
}

function ClearedResults({ fold }: { readonly fold: FoldRow['fold'] }) {
  const { store } = usePanelTools()
  const shown = (fold.cleared ?? []).slice(0, shownCalls)
  const more = (fold.clearedTotal ?? 0) - shown.length
  return (
    <>
      <ul className="calls">
        {shown.map(({ index, chars }) => (
          <li key={index}>
            <button type="button" onClick={() => openTab(store, 'messages', { viewedEntry: index })}>
              #{index}
            </button>
            <span className="numeric">{formatNumber(chars)} characters</span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="quiet">and {formatCount(more, 'more result')}</p>}
    </>
  )
}

function ClippedResults({ fold }: { readonly fold: FoldRow['fold'] }) {
  const { store } = usePanelTools()
  const shown = (fold.clipped ?? []).slice(0, shownCalls)
  const more = (fold.clippedTotal ?? 0) - shown.length
  return (
    <>
      <ul className="calls">
        {shown.map(({ index, chars, kept }, position) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: one result may have several texts, and the list never changes.
          <li key={position}>
            <button type="button" onClick={() => openTab(store, 'messages', { viewedEntry: index })}>
              #{index}
            </button>
            <span className="numeric">
              {formatNumber(chars - kept)} of {formatNumber(chars)} characters
            </span>
          </li>
        ))}
      </ul>
      {more > 0 && <p className="quiet">and {formatCount(more, 'more text')}</p>}
    </>
  )
}

function FoldedCalls({ fold }: { readonly fold: FoldRow['fold'] }) {
  const { store } = usePanelTools()
  const calls = fold.calls.slice(0, shownCalls)
  if (calls.length === 0) return <p>{formatCount(fold.messagesFolded, 'entry', 'entries')}, no calls.</p>
  return (
    <>
      <ul className="calls">
        {calls.map((call) => (
          <li key={call.index}>
            <button type="button" onClick={() => openTab(store, 'messages', { viewedEntry: call.index })}>
              #{call.index}
            </button>
            <code className="conversation">
              {call.function}({call.arguments})
            </code>
            <span className="quiet numeric">
              {call.outputChars === null ? 'no output' : `${formatNumber(call.outputChars)} chars`}
            </span>
          </li>
        ))}
      </ul>
      {fold.callsTotal > calls.length && (
        <p className="quiet">and {formatCount(fold.callsTotal - calls.length, 'more call')}</p>
      )}
    </>
  )
}
