import type { KeyboardEvent } from 'react'
import type { PanelTools } from './context.ts'
import { goLive, type PanelStore } from './store.ts'

/** The panel's keys. Typing in a field is left alone but for Escape, and so are the browser's own shortcuts. */
export function handlePanelKey(event: KeyboardEvent, tools: PanelTools): void {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
  if (event.key !== 'Escape' && event.target instanceof Element && isTaken(event.target, event.key)) return
  if (run(event.key, tools, event.currentTarget)) event.preventDefault()
}

/** Whether the focused element needs the key for itself. */
function isTaken(target: Element, key: string): boolean {
  if (target.closest('input, textarea, select')) return true
  return key === 'Enter' && target.closest('button, summary, a') !== null
}

/** Whether the key meant something here. */
function run(key: string, { store, paneKeys }: PanelTools, panel: Element): boolean {
  const pane = paneKeys.current
  switch (key) {
    case 'ArrowUp':
    case 'k':
      pane?.move(-1)
      return true
    case 'ArrowDown':
    case 'j':
      pane?.move(1)
      return true
    case 'PageUp':
      pane?.move(-10)
      return true
    case 'PageDown':
      pane?.move(10)
      return true
    case 'Home':
      pane?.move('first')
      return true
    case 'End':
      pane?.move('last')
      return true
    case 'Enter':
      pane?.open()
      focusIn(panel, '.split-end')
      return true
    case '[':
      pane?.fold(-1)
      return true
    case ']':
      pane?.fold(1)
      return true
    case '/':
      focusIn(panel, 'input[type="search"]')
      return true
    case 'l':
      goLive(store)
      return true
    case '?':
      store.setState({ helpOpen: true })
      return true
    case 'Escape':
      return stepBack(store)
    default:
      return false
  }
}

function focusIn(panel: Element, selector: string): void {
  panel.querySelector<HTMLElement>(selector)?.focus()
}

/** Closes what was opened last: help, then search, then the detail. */
function stepBack(store: PanelStore): boolean {
  const { helpOpen, search, detailOpen } = store.getState()
  if (helpOpen) store.setState({ helpOpen: false })
  else if (search !== '') store.setState({ search: '' })
  else if (detailOpen) store.setState({ detailOpen: false })
  else return false
  return true
}
