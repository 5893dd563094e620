import { type ReactNode, useEffect, useRef } from 'react'

export interface SplitPaneProps {
  readonly list: ReactNode
  readonly detail: ReactNode
  readonly detailLabel: string
  /** Narrow panels show one of the two. */
  readonly detailOpen: boolean
  readonly onBack: () => void
}

/** List beside detail; in a narrow panel the detail takes the place of the list and has a way back. */
export function SplitPane({ list, detail, detailLabel, detailOpen, onBack }: SplitPaneProps) {
  const back = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (detailOpen) back.current?.focus()
  }, [detailOpen])
  return (
    <div className={`split ${detailOpen ? 'split-detail' : 'split-list'}`}>
      <div className="split-start">{list}</div>
      <section className="split-end" aria-label={detailLabel}>
        <button type="button" className="back" ref={back} onClick={onBack}>
          ← Back
        </button>
        {detail}
      </section>
    </div>
  )
}
