import { useMemo } from 'react'
import { usePaneKeys, usePanel, usePanelTools } from '../context.ts'
import { formatCount, formatNumber } from '../format.ts'
import { keptRequests } from '../limits.ts'
import { moveWithin } from '../move.ts'
import { filterRequests, neighbourFold, type RequestFilter, type RequestRow, requestRows } from '../select.ts'
import { Choice } from '../ui/Choice.tsx'
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx'
import { SplitPane } from '../ui/SplitPane.tsx'
import { ChartSection } from './ChartSection.tsx'
import { RequestDetail } from './RequestDetail.tsx'
import { RequestTable } from './RequestTable.tsx'

/** Why requests were folded or refused: the chart, the table, and the request that is looked at. */
export function RequestsPane() {
  const { store } = usePanelTools()
  const record = usePanel((state) => state.record)
  const filter = usePanel((state) => state.requestFilter)
  const search = usePanel((state) => state.search)
  const viewed = usePanel((state) => state.viewedRequest)
  const detailOpen = usePanel((state) => state.detailOpen)
  const rows = useMemo(() => requestRows(record), [record])
  const shown = useMemo(() => filterRequests(rows, filter, search), [rows, filter, search])
  const row = rows.find(({ key }) => key === viewed) ?? rows.at(-1)

  function view(next: RequestRow): void {
    store.setState({ viewedRequest: next.key })
  }

  usePaneKeys({
    move: (to) => {
      const next = moveWithin(
        shown,
        shown.findIndex(({ key }) => key === row?.key),
        to,
      )
      if (next) view(next)
    },
    open: () => store.setState({ detailOpen: true }),
    fold: (direction) => {
      const key = neighbourFold(rows, row?.key ?? null, direction)
      if (key) store.setState({ viewedRequest: key })
    },
  })

  if (!row) return <NoRequests />
  return (
    <>
      <ErrorBoundary name="The chart">
        <ChartSection rows={rows} viewed={row} onView={view} />
      </ErrorBoundary>
      <SplitPane
        detailLabel={`Request ${row.number}`}
        detailOpen={detailOpen}
        onBack={() => store.setState({ detailOpen: false })}
        list={
          <>
            <RequestFilterBar rows={rows} shown={shown.length} />
            <RequestTable
              rows={shown}
              viewed={row.key}
              follow={viewed === null}
              onView={(next) => store.setState({ viewedRequest: next.key, detailOpen: true })}
            />
          </>
        }
        detail={<RequestDetail row={row} />}
      />
    </>
  )
}

function NoRequests() {
  const connection = usePanel((state) => state.connection)
  const { reload } = usePanelTools()
  if (connection.type === 'connecting') return <p className="empty">Reading what happened so far…</p>
  if (connection.type === 'failed')
    return (
      <div className="empty" role="alert">
        <p>The panel could not read this conversation: {connection.reason}</p>
        <button type="button" onClick={reload}>
          Try again
        </button>
      </div>
    )
  return (
    <div className="empty">
      <p>Requests appear here, each with its size against the ceiling and what was folded to fit.</p>
      <p className="quiet">Send one message through dogear and this fills.</p>
    </div>
  )
}

const filters: readonly { readonly value: RequestFilter; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'folded', label: 'Folded' },
  { value: 'refused', label: 'Refused' },
]

function RequestFilterBar({ rows, shown }: { readonly rows: readonly RequestRow[]; readonly shown: number }) {
  const { store } = usePanelTools()
  const filter = usePanel((state) => state.requestFilter)
  const search = usePanel((state) => state.search)
  const dropped = usePanel((state) => state.record.requestsDropped)
  const narrowed = filter !== 'all' || search !== ''
  return (
    <div className="toolbar">
      <Choice
        label="Requests shown"
        options={filters}
        value={filter}
        onChange={(requestFilter) => store.setState({ requestFilter })}
      />
      {narrowed && (
        <>
          <span className="quiet" role="status">
            {formatNumber(shown)} of {formatNumber(rows.length)}
          </span>
          <button type="button" onClick={() => store.setState({ requestFilter: 'all', search: '' })}>
            Clear
          </button>
        </>
      )}
      {dropped > 0 && (
        <span className="quiet">
          {formatCount(dropped, 'earlier request')} dropped; the panel keeps {formatNumber(keptRequests)}
        </span>
      )}
    </div>
  )
}
