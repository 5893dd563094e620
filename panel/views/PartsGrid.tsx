import { formatTokens } from '../format.ts'
import { type StackName, stackLabels, stackOrder, stackParts } from '../parts.ts'
import type { RequestRow } from '../select.ts'
import { type Column, Grid } from '../ui/Grid.tsx'

export interface PartsGridProps {
  readonly rows: readonly RequestRow[]
  readonly viewed: string
  readonly onView: (row: RequestRow) => void
}

/** The chart's own numbers as a table: every part of every request, and the levels it was held against. */
export function PartsGrid({ rows, viewed, onView }: PartsGridProps) {
  return (
    <Grid
      label="Request sizes by part"
      className="grid-parts"
      columns={columns}
      rows={rows}
      rowKey={(row) => row.key}
      selected={rows.findIndex((row) => row.key === viewed)}
      onSelect={onView}
    />
  )
}

const columns: readonly Column<RequestRow>[] = [
  { name: 'number', header: '#', numeric: true, render: (row) => row.number },
  level('Tokens', (row) => row.request.decision.after),
  level('Before', (row) => row.request.decision.before),
  level('Target', (row) => row.request.decision.target),
  level('Fold line', (row) => row.request.decision.line),
  level('Ceiling', (row) => row.request.decision.ceiling),
  ...stackOrder.map(
    (name): Column<RequestRow> => ({
      name,
      header: stackLabels[name],
      numeric: true,
      render: (row) => formatTokens(sizeOf(row, name)),
    }),
  ),
]

function level(header: string, value: (row: RequestRow) => number | null): Column<RequestRow> {
  return {
    name: header.toLowerCase().replace(' ', '-'),
    header,
    numeric: true,
    render: (row) => formatTokens(value(row)),
  }
}

function sizeOf(row: RequestRow, name: StackName): number | undefined {
  const { parts, after } = row.request.decision
  return stackParts(parts, after).find((segment) => segment.name === name)?.tokens
}
