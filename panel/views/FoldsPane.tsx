import { useMemo } from 'react'
import { usePaneKeys, usePanel, usePanelTools } from '../context.ts'
import { formatCount, formatTime, formatTokens, unknown } from '../format.ts'
import { moveWithin } from '../move.ts'
import { type FoldRow, foldRows } from '../select.ts'
import { nameStage } from '../sentences.ts'
import { type Column, Grid } from '../ui/Grid.tsx'
import { SplitPane } from '../ui/SplitPane.tsx'
import { FoldDetail } from './FoldDetail.tsx'

/** What happened to the history: every fold, what it took, and the way back. */
export function FoldsPane() {
  const { store } = usePanelTools()
  const record = usePanel((state) => state.record)
  const viewed = usePanel((state) => state.viewedFold)
  const detailOpen = usePanel((state) => state.detailOpen)
  const rows = useMemo(() => foldRows(record), [record])
  const row = rows.find(({ fold }) => fold.id === viewed) ?? rows.at(-1)

  function move(to: Parameters<typeof moveWithin>[2]): void {
    const next = moveWithin(rows, row ? rows.indexOf(row) : -1, to)
    if (next) store.setState({ viewedFold: next.fold.id })
  }

  usePaneKeys({ move, open: () => store.setState({ detailOpen: true }), fold: move })

  if (!row)
    return (
      <div className="empty">
        <p>
          Folds appear here: what was taken out of a request, what stands there instead, and the way back.
        </p>
        <p className="quiet">The first one comes when a request reaches the fold line.</p>
      </div>
    )
  return (
    <SplitPane
      detailLabel={`Fold ${row.number}`}
      detailOpen={detailOpen}
      onBack={() => store.setState({ detailOpen: false })}
      list={
        <>
          {record.foldsDropped > 0 && (
            <p className="toolbar quiet">{formatCount(record.foldsDropped, 'earlier fold')} dropped</p>
          )}
          <Grid
            label="Folds"
            className="grid-folds"
            columns={columns}
            rows={rows}
            rowKey={({ fold }) => fold.id}
            rowClass={({ fold }) => `fold-${fold.outcome}`}
            selected={rows.indexOf(row)}
            onSelect={({ fold }) => store.setState({ viewedFold: fold.id, detailOpen: true })}
            follow={viewed === null}
          />
        </>
      }
      detail={<FoldDetail row={row} />}
    />
  )
}

const columns: readonly Column<FoldRow>[] = [
  { name: 'number', header: '#', numeric: true, render: (row) => row.number },
  { name: 'time', header: 'Time', render: ({ fold }) => formatTime(fold.at) },
  {
    name: 'request',
    header: 'Request',
    numeric: true,
    render: ({ request }) => (request ? `#${request.number}` : unknown),
  },
  { name: 'stage', header: 'Stage', render: ({ fold }) => nameStage(fold.stage) },
  { name: 'before', header: 'Before', numeric: true, render: ({ fold }) => formatTokens(fold.before) },
  { name: 'after', header: 'After', numeric: true, render: ({ fold }) => formatTokens(fold.after) },
  { name: 'items', header: 'Entries', numeric: true, render: ({ fold }) => fold.messagesFolded },
  {
    name: 'outcome',
    header: 'Outcome',
    render: ({ fold }) => (
      <span className={`badge badge-${fold.outcome === 'landed' ? 'folded' : 'aborted'}`}>
        {outcomeOf(fold)}
      </span>
    ),
  },
]

function outcomeOf({ outcome, targetReached }: FoldRow['fold']): string {
  if (outcome === 'rolled_back') return 'Undone'
  return targetReached ? 'Target reached' : 'Over target'
}
