import { devtoolsStyle } from './devtools-style.ts'
import { readFrame, writeFrame } from './remembered-frame.ts'
import type { PanelSource } from './source.ts'

export interface DevtoolsOptions {
  /** Keep one source per branch: a panel that is given another source starts over. */
  readonly source: PanelSource
  /** Gets an open shadow root, and shows nothing in its own place. */
  readonly container: HTMLElement
  /** Opens and closes it, as in `Control+Shift+KeyD`: modifiers, and the code of a key. Null: none does. */
  readonly hotkey?: string | null
}

const defaultHotkey = 'Control+Shift+KeyD'

/** Adds the button and, once it is wanted, what opens behind it. Returns the function that takes both away. */
export function mountDevtools({ source, container, hotkey = defaultHotkey }: DevtoolsOptions): () => void {
  const { ownerDocument: document } = container
  const view = document.defaultView ?? window
  const shadow = container.shadowRoot ?? container.attachShadow({ mode: 'open' })
  const sheet = new view.CSSStyleSheet()
  sheet.replaceSync(devtoolsStyle)
  shadow.adoptedStyleSheets = [sheet]
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'toggle'
  button.textContent = 'dogear'
  shadow.append(button)

  /** Takes the open panel away; null while it is closed. */
  let unmount: (() => void) | null = null
  const close = (): void => {
    toggle()
    button.focus()
  }

  function show(isOpen: boolean): void {
    button.setAttribute('aria-expanded', String(isOpen))
    unmount?.()
    unmount = null
    if (!isOpen) return
    let isWanted = true
    unmount = () => {
      isWanted = false
    }
    import('./devtools-frame.ts').then(
      ({ openFrame }) => {
        if (isWanted) unmount = openFrame({ source, shadow, close })
      },
      // It can be tried again.
      () => isWanted && show(false),
    )
  }

  function toggle(): void {
    const isOpen = unmount === null
    writeFrame({ ...readFrame(), isOpen })
    show(isOpen)
  }

  function heard(event: KeyboardEvent): void {
    if (hotkey === null || !isHotkey(event, hotkey)) return
    event.preventDefault()
    if (unmount) close()
    else toggle()
  }

  button.addEventListener('click', toggle)
  // At the window, ahead of an app that stops keys on their way.
  view.addEventListener('keydown', heard, true)
  show(readFrame().isOpen)

  return () => {
    view.removeEventListener('keydown', heard, true)
    unmount?.()
    button.remove()
  }
}

function isHotkey(event: KeyboardEvent, hotkey: string): boolean {
  const parts = hotkey.split('+')
  const modifiers = { Control: event.ctrlKey, Shift: event.shiftKey, Alt: event.altKey, Meta: event.metaKey }
  return (
    event.code === parts.at(-1) &&
    Object.entries(modifiers).every(([name, isDown]) => parts.slice(0, -1).includes(name) === isDown)
  )
}
