import { useState } from 'react'
import type { BranchSummary } from '../../sdk/index.ts'
import { bytesText } from './bytes-text.ts'

export interface BranchTableProps {
  /** Null while they are read. */
  readonly branches: readonly BranchSummary[] | null
  readonly openedId: string | null
  readonly onOpen: (id: string) => void
  readonly onExport: (id: string) => void
  readonly onDelete: (id: string) => void
}

export function BranchTable({ branches, openedId, onOpen, onExport, onDelete }: BranchTableProps) {
  /** Asked once more, for what is deleted is gone. */
  const [asked, setAsked] = useState<string | null>(null)

  if (branches === null) return <p className="quiet">Reading what is kept…</p>
  if (branches.length === 0)
    return (
      <p className="quiet">
        Nothing is kept in this browser yet. <a href="./index.html">Play a conversation</a>, or import a file
        that was exported elsewhere.
      </p>
    )
  return (
    <div className="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Branch</th>
            <th scope="col">Changed</th>
            <th scope="col" className="number">
              Entries
            </th>
            <th scope="col" className="number">
              Originals
            </th>
            <th scope="col">
              <span className="unseen">What to do with it</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {branches.map(({ id, updatedAt, entryCount, bytes, format, model }) => (
            <tr key={id} aria-current={id === openedId || undefined}>
              <th scope="row">
                {id}
                <span className="quiet">{[format, model].filter(Boolean).join(' · ')}</span>
              </th>
              <td>
                <time dateTime={new Date(updatedAt).toISOString()}>{dates.format(updatedAt)}</time>
              </td>
              <td className="number">
                {counts.format(entryCount)}
                <span className="unit"> entries</span>
              </td>
              <td className="number">{bytesText(bytes)}</td>
              <td>
                <div className="actions">
                  {asked === id ? (
                    <>
                      <button
                        type="button"
                        className="bad"
                        onClick={() => {
                          setAsked(null)
                          onDelete(id)
                        }}
                      >
                        Delete for good
                      </button>
                      <button type="button" onClick={() => setAsked(null)}>
                        Keep it
                      </button>
                    </>
                  ) : (
                    <>
                      <button type="button" disabled={id === openedId} onClick={() => onOpen(id)}>
                        Open
                      </button>
                      <button type="button" onClick={() => onExport(id)}>
                        Export
                      </button>
                      <button type="button" onClick={() => setAsked(id)}>
                        Delete…
                      </button>
                    </>
                  )}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const counts = new Intl.NumberFormat('en')
const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
