import { type ReactNode, useEffect, useRef } from 'react'
import { ErrorBoundary } from './ErrorBoundary.tsx'

export interface SplitPaneProps {
  readonly list: ReactNode
  readonly detail: ReactNode
  /** Names what the detail shows. Another name is another detail, which starts with nothing of the last one. */
  readonly detailLabel: string
  /** Narrow panels show one of the two. */
  readonly detailOpen: boolean
  readonly onBack: () => void
}

/** List beside detail; in a narrow panel the detail takes the place of the list and has a way back. */
export function SplitPane({ list, detail, detailLabel, detailOpen, onBack }: SplitPaneProps) {
  const start = useRef<HTMLDivElement>(null)
  const end = useRef<HTMLElement>(null)
  const wasOpen = useRef(false)

  useEffect(() => {
    if (detailOpen && !isShown(start.current)) end.current?.focus()
    if (!detailOpen && wasOpen.current) start.current?.querySelector<HTMLElement>('[role="grid"]')?.focus()
    wasOpen.current = detailOpen
  }, [detailOpen])

  return (
    <div className={`split ${detailOpen ? 'split-detail' : 'split-list'}`}>
      <div className="split-start" ref={start}>
        <ErrorBoundary name="The list">{list}</ErrorBoundary>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section className="split-end" aria-label={detailLabel} tabIndex={0} ref={end}>
        <button type="button" className="back" onClick={onBack}>
          ← Back
        </button>
        <ErrorBoundary key={detailLabel} name="The detail">
          {detail}
        </ErrorBoundary>
      </section>
    </div>
  )
}

function isShown(element: HTMLElement | null): boolean {
  return element !== null && element.getClientRects().length > 0
}
