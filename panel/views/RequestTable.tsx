import { formatDuration, formatNumber, formatTime, formatTokens, unknown } from '../format.ts'
import type { RequestRow } from '../select.ts'
import { nameStage } from '../sentences.ts'
import { type Column, Grid } from '../ui/Grid.tsx'
import { OutcomeBadge } from '../ui/OutcomeBadge.tsx'

const columns: readonly Column<RequestRow>[] = [
  { name: 'number', header: '#', numeric: true, render: (row) => row.number },
  { name: 'time', header: 'Time', render: (row) => formatTime(row.request.decision.at) },
  {
    name: 'before',
    header: 'Before',
    numeric: true,
    render: ({ request: { decision } }) => formatTokens(decision.before),
  },
  {
    name: 'after',
    header: 'Tokens',
    numeric: true,
    render: ({ request: { decision } }) => formatTokens(decision.after),
  },
  {
    name: 'headroom',
    header: 'Left',
    numeric: true,
    render: (row) => (row.headroom === null ? unknown : formatNumber(row.headroom).replace('-', '−')),
  },
  { name: 'outcome', header: 'Outcome', render: (row) => <OutcomeBadge row={row} /> },
  {
    name: 'stages',
    header: 'Stages',
    render: (row) => [...new Set(row.stages.map(nameStage))].join(', ') || unknown,
  },
  { name: 'model', header: 'Model', render: (row) => row.request.decision.model ?? unknown },
  {
    name: 'took',
    header: 'Took',
    numeric: true,
    render: (row) => formatDuration(row.request.settlement?.ms),
  },
]

export interface RequestTableProps {
  readonly rows: readonly RequestRow[]
  readonly viewed: string
  readonly follow: boolean
  readonly onView: (row: RequestRow) => void
}

export function RequestTable({ rows, viewed, follow, onView }: RequestTableProps) {
  if (rows.length === 0) return <p className="empty">No request matches.</p>
  return (
    <Grid
      label="Requests"
      className="grid-requests"
      columns={columns}
      rows={rows}
      rowKey={(row) => row.key}
      rowClass={(row) => `outcome-${row.outcome}`}
      selected={rows.findIndex((row) => row.key === viewed)}
      onSelect={onView}
      follow={follow}
    />
  )
}
