import type { EntryState } from '../../sdk/branch.ts'
import { formatNumber, unknown } from '../format.ts'
import type { EntryRow } from '../select.ts'
import { type Column, Grid } from '../ui/Grid.tsx'

const stateWords: Readonly<Record<EntryState, string>> = {
  verbatim: 'verbatim',
  clipped: 'clipped',
  note: 'note',
  out: 'out',
}

const columns: readonly Column<EntryRow>[] = [
  { name: 'number', header: '#', numeric: true, render: (row) => row.index },
  {
    name: 'state',
    header: 'State',
    render: ({ entry }) =>
      entry ? <span className={`state state-${entry.state}`}>{stateWords[entry.state]}</span> : unknown,
  },
  { name: 'kind', header: 'Kind', render: ({ entry }) => entry?.kind ?? unknown },
  { name: 'name', header: 'Name', render: ({ entry }) => entry?.name ?? '' },
  { name: 'preview', header: 'Text', render: ({ entry }) => entry?.preview ?? 'reading…' },
  {
    name: 'chars',
    header: 'Chars',
    numeric: true,
    render: ({ entry }) => (entry ? formatNumber(entry.chars) : unknown),
  },
]

export interface MessageTableProps {
  readonly rows: readonly EntryRow[]
  readonly viewed: number | null
  readonly onVisible: (rows: readonly EntryRow[]) => void
  readonly onView: (row: EntryRow) => void
}

export function MessageTable({ rows, viewed, onVisible, onView }: MessageTableProps) {
  if (rows.length === 0) return <p className="empty">No entry matches.</p>
  return (
    <Grid
      label="Messages in send order"
      className="grid-messages"
      columns={columns}
      rows={rows}
      rowKey={(row) => row.index}
      rowClass={({ entry }) => (entry ? `entry-${entry.state}` : 'entry-unread')}
      selected={rows.findIndex((row) => row.index === viewed)}
      onSelect={onView}
      onVisible={onVisible}
    />
  )
}
