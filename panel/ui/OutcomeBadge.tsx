import type { RequestRow } from '../select.ts'

/** The outcome in words; the mark before it repeats it in shape, and the colour comes last. */
export function OutcomeBadge({ row }: { readonly row: RequestRow }) {
  const words = {
    refused: 'Refused',
    failed: 'Failed',
    aborted: 'Aborted',
    folded: `Folded ${row.foldedEntries}`,
    sent: 'Sent',
  }[row.outcome]
  return <span className={`badge badge-${row.outcome}`}>{words}</span>
}
