import { useEffect, useRef } from 'react'
import { usePanel, usePanelTools } from '../context.ts'

const keys = [
  ['↑ ↓ or k j', 'previous and next row'],
  ['Enter', 'open the row'],
  ['[ ]', 'previous and next fold'],
  ['← →', 'previous and next request, in the chart'],
  ['/', 'search'],
  ['l', 'back to live'],
  ['?', 'this list'],
  ['Esc', 'close this list, clear the search, go back to the list'],
] as const

/** The keys of the panel. Not modal: it lies over the panel and never over the app. */
export function Help() {
  const { store } = usePanelTools()
  const open = usePanel((state) => state.helpOpen)
  const close = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (open) close.current?.focus()
  }, [open])
  if (!open) return null
  return (
    <div className="help" role="dialog" aria-label="Keyboard">
      <h2>Keyboard</h2>
      <dl>
        {keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <button type="button" ref={close} onClick={() => store.setState({ helpOpen: false })}>
        Close
      </button>
    </div>
  )
}
