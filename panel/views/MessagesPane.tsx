import { useEffect, useMemo, useState } from 'react'
import { usePaneKeys, usePanel, usePanelTools } from '../context.ts'
import { type EntryCache, entryAt } from '../entries.ts'
import { formatNumber } from '../format.ts'
import { moveWithin } from '../move.ts'
import { type EntryFilter, type EntryRow, entryRows, filterEntries, sendOrder } from '../select.ts'
import { Choice } from '../ui/Choice.tsx'
import { SplitPane } from '../ui/SplitPane.tsx'
import { MessageDetail } from './MessageDetail.tsx'
import { MessageTable } from './MessageTable.tsx'

/** What the model still sees, what it does not, and the way back. */
export function MessagesPane() {
  const { store, wantEntries } = usePanelTools()
  const entries = usePanel((state) => state.entries)
  const folds = usePanel((state) => state.record.folds)
  const filter = usePanel((state) => state.entryFilter)
  const search = usePanel((state) => state.search)
  const viewed = usePanel((state) => state.viewedEntry)
  const detailOpen = usePanel((state) => state.detailOpen)
  const [visible, setVisible] = useState<readonly EntryRow[]>([])
  const { total } = entries
  const narrowed = filter !== 'all' || search !== ''

  const order = useMemo(
    () => sendOrder(entries.total ?? 0, folds, (index) => mayBeNote(entries, index)),
    [entries, folds],
  )
  const rows = useMemo(() => entryRows(entries, order), [entries, order])
  const shown = useMemo(() => filterEntries(rows, filter, search), [rows, filter, search])
  const entry = viewed === null ? undefined : entryAt(entries, viewed)

  useEffect(() => {
    if (entries.total === null) wantEntries([0])
    else {
      const inSight = visible.map(({ index }) => index)
      const searched = narrowed ? order.toReversed() : []
      wantEntries([...(viewed === null ? [] : [viewed]), ...inSight, ...searched])
    }
  }, [wantEntries, entries, visible, viewed, narrowed, order])

  function view(row: EntryRow): void {
    store.setState({ viewedEntry: row.index })
  }

  usePaneKeys({
    move: (to) => {
      const next = moveWithin(
        shown,
        shown.findIndex(({ index }) => index === viewed),
        to,
      )
      if (next) view(next)
    },
    open: () => {
      if (viewed !== null) store.setState({ detailOpen: true })
    },
    fold: (direction) => {
      const notes = shown.filter((row) => row.entry?.state === 'note')
      const at = order.indexOf(viewed ?? -1)
      const places = notes.map((row) => order.indexOf(row.index))
      const next =
        direction === 1
          ? notes[places.findIndex((place) => place > at)]
          : notes[places.findLastIndex((place) => place < (at === -1 ? order.length : at))]
      if (next) view(next)
    },
  })

  if (total === null || total === 0) return <NoMessages />
  return (
    <SplitPane
      detailLabel={viewed === null ? 'Entry' : `Entry ${viewed}`}
      detailOpen={detailOpen}
      onBack={() => store.setState({ detailOpen: false })}
      list={
        <>
          <EntryFilterBar rows={rows} shown={shown.length} />
          <MessageTable
            rows={shown}
            viewed={viewed}
            onVisible={setVisible}
            onView={(row) => store.setState({ viewedEntry: row.index, detailOpen: true })}
          />
        </>
      }
      detail={
        entry ? (
          <MessageDetail entry={entry} />
        ) : (
          <p className="empty">
            {viewed === null
              ? 'Choose an entry to read it, or to bring it back into the next request.'
              : `Reading entry ${viewed}…`}
          </p>
        )
      }
    />
  )
}

/** A fold of another line can name an index that is no note on this one. */
function mayBeNote(entries: EntryCache, index: number): boolean {
  const entry = entryAt(entries, index)
  return entry === undefined || entry.kind === 'note'
}

function NoMessages() {
  const { reload } = usePanelTools()
  const failure = usePanel((state) => state.entries.failure)
  const total = usePanel((state) => state.entries.total)
  if (failure !== null)
    return (
      <div className="empty" role="alert">
        <p>The messages could not be read: {failure}</p>
        <button type="button" onClick={reload}>
          Try again
        </button>
      </div>
    )
  if (total === null) return <p className="empty">Reading the messages…</p>
  return (
    <div className="empty">
      <p>Every message, call and result appears here, with what the next request holds of it.</p>
      <p className="quiet">Send one message through dogear and this fills.</p>
    </div>
  )
}

const filters: readonly { readonly value: EntryFilter; readonly label: string }[] = [
  { value: 'all', label: 'All' },
  { value: 'out', label: 'Out' },
  { value: 'note', label: 'Notes' },
]

function EntryFilterBar({ rows, shown }: { readonly rows: readonly EntryRow[]; readonly shown: number }) {
  const { store, reload } = usePanelTools()
  const filter = usePanel((state) => state.entryFilter)
  const search = usePanel((state) => state.search)
  const failure = usePanel((state) => state.entries.failure)
  const read = rows.filter(({ entry }) => entry).length
  return (
    <div className="toolbar">
      <Choice
        label="Entries shown"
        options={filters}
        value={filter}
        onChange={(entryFilter) => store.setState({ entryFilter })}
      />
      {(filter !== 'all' || search !== '') && (
        <>
          <span className="quiet" role="status">
            {formatNumber(shown)} of {formatNumber(rows.length)}
            {read < rows.length && `, ${formatNumber(read)} looked at`}
          </span>
          <button type="button" onClick={() => store.setState({ entryFilter: 'all', search: '' })}>
            Clear
          </button>
        </>
      )}
      {failure !== null && (
        <>
          <span className="bad">Some messages could not be read: {failure}</span>
          <button type="button" onClick={reload}>
            Try again
          </button>
        </>
      )}
    </div>
  )
}
