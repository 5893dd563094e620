import { devtoolsStyle } from './devtools-style.ts'
import { type RememberedFrame, readFrame, writeFrame } from './remembered-frame.ts'
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

/** Heights in pixels that are of use, and what an arrow key moves. */
const least = 240
const step = 24

/** Adds the button and what opens behind it, and returns the function that takes both away. */
export function mountDevtools({ source, container, hotkey = defaultHotkey }: DevtoolsOptions): () => void {
  const { ownerDocument: document } = container
  const view = document.defaultView ?? window
  const shadow = container.shadowRoot ?? container.attachShadow({ mode: 'open' })
  const sheet = new view.CSSStyleSheet()
  sheet.replaceSync(devtoolsStyle)
  shadow.adoptedStyleSheets = [sheet]

  const button = element(document, 'button', { type: 'button', class: 'toggle', 'aria-expanded': 'false' })
  button.textContent = 'dogear'
  const frame = element(document, 'section', { class: 'frame', 'aria-label': 'dogear devtools' })
  const handle = element(document, 'div', {
    class: 'handle',
    role: 'separator',
    tabindex: '0',
    'aria-label': 'Height of the panel',
    'aria-orientation': 'horizontal',
    'aria-valuemin': String(least),
  })
  const close = element(document, 'button', { type: 'button', class: 'close', 'aria-label': 'Close' })
  close.textContent = '×'
  const place = element(document, 'div', { class: 'panel' })
  frame.append(handle, close, place)
  shadow.append(button)

  let remembered: RememberedFrame = readFrame()
  /** Takes the open panel away; null while it is closed. */
  let unmount: (() => void) | null = null
  let isGone = false

  function resize(height: number): void {
    const most = Math.max(least, view.innerHeight - 48)
    const used = Math.round(Math.min(most, Math.max(least, height)))
    frame.style.setProperty('--height', `${used}px`)
    handle.setAttribute('aria-valuenow', String(used))
    handle.setAttribute('aria-valuemax', String(most))
    remembered = { ...remembered, height: used }
  }

  async function open(): Promise<void> {
    if (unmount) return
    let isOpen = true
    unmount = () => {
      isOpen = false
    }
    button.setAttribute('aria-expanded', 'true')
    resize(remembered.height)
    shadow.append(frame)
    const { mountPanel } = await import('./mount.tsx').catch((error: unknown) => {
      place.textContent =
        'The panel could not be loaded. Check that the build serves its chunks, and open it again.'
      throw error
    })
    if (!isOpen || isGone) return
    place.replaceChildren()
    unmount = mountPanel({ source, container: element(document, 'div', { class: 'fill' }, place) })
  }

  function shut(): void {
    unmount?.()
    unmount = null
    frame.remove()
    place.replaceChildren()
    button.setAttribute('aria-expanded', 'false')
  }

  function toggle(): void {
    if (unmount) shut()
    else void open().catch(() => undefined)
    remembered = { ...remembered, isOpen: unmount !== null }
    writeFrame(remembered)
  }

  function heard(event: KeyboardEvent): void {
    if (hotkey === null || !isHotkey(event, hotkey)) return
    event.preventDefault()
    toggle()
    if (!unmount) button.focus()
  }

  function drag(down: PointerEvent): void {
    handle.setPointerCapture(down.pointerId)
    const from = remembered.height + down.clientY
    const move = ({ clientY }: PointerEvent): void => resize(from - clientY)
    const end = (): void => {
      handle.removeEventListener('pointermove', move)
      writeFrame(remembered)
    }
    handle.addEventListener('pointermove', move)
    handle.addEventListener('lostpointercapture', end, { once: true })
  }

  function moveByKey(event: KeyboardEvent): void {
    const by = { ArrowUp: step, ArrowDown: -step, PageUp: step * 4, PageDown: -step * 4 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    event.stopPropagation()
    resize(remembered.height + by)
    writeFrame(remembered)
  }

  button.addEventListener('click', toggle)
  close.addEventListener('click', () => {
    toggle()
    button.focus()
  })
  handle.addEventListener('pointerdown', drag)
  handle.addEventListener('keydown', moveByKey)
  // At the window, ahead of an app that stops keys on their way.
  view.addEventListener('keydown', heard, true)
  if (remembered.isOpen) void open().catch(() => undefined)

  return () => {
    isGone = true
    view.removeEventListener('keydown', heard, true)
    shut()
    button.remove()
  }
}

function element<Name extends 'button' | 'div' | 'section'>(
  document: Document,
  name: Name,
  attributes: Readonly<Record<string, string>>,
  parent?: HTMLElement,
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  parent?.append(made)
  return made
}

function isHotkey(event: KeyboardEvent, hotkey: string): boolean {
  const parts = hotkey.split('+')
  const modifiers = { Control: event.ctrlKey, Shift: event.shiftKey, Alt: event.altKey, Meta: event.metaKey }
  return (
    event.code === parts.at(-1) &&
    Object.entries(modifiers).every(([name, isDown]) => parts.slice(0, -1).includes(name) === isDown)
  )
}
