import type { PartSize } from '../../sdk/engine/journal.ts'
import { formatNumber, formatTokens, unknown } from '../format.ts'
import { stackLabels, stackParts } from '../parts.ts'

export interface PartsTableProps {
  readonly parts: readonly PartSize[]
  readonly estimate: number
}

/** The parts of a request in send order, with their share of the estimate. */
export function PartsTable({ parts, estimate }: PartsTableProps) {
  const entries = new Map<string, number>()
  for (const size of parts) entries.set(size.part, (entries.get(size.part) ?? 0) + size.entries)
  return (
    <table className="parts">
      <thead>
        <tr>
          <th scope="col">Part</th>
          <th scope="col" className="numeric">
            Tokens
          </th>
          <th scope="col" className="numeric">
            Entries
          </th>
          <th scope="col">Share</th>
        </tr>
      </thead>
      <tbody>
        {stackParts(parts, estimate).map((segment) => (
          <tr key={segment.name}>
            <th scope="row">
              <span className={`swatch part-${segment.name}`} />
              {stackLabels[segment.name]}
            </th>
            <td className="numeric">{formatTokens(segment.tokens)}</td>
            <td className="numeric">
              {segment.name === 'uncounted' ? unknown : formatNumber(entries.get(segment.name) ?? 0)}
            </td>
            <td>
              <span className="share">
                <span
                  className={`part-${segment.name}`}
                  style={{ width: `${((segment.to - segment.from) / Math.max(1, estimate)) * 100}%` }}
                />
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
