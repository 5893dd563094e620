import { frameStyle } from './devtools-frame-style.ts'
import { mountPanel } from './mount.tsx'
import { readFrame, writeFrame } from './remembered-frame.ts'
import type { PanelSource } from './source.ts'

/** Heights in pixels that are of use, and what an arrow key moves. */
const least = 240
const step = 24

/** Shows the panel along the lower edge of the page, and returns the function that takes it away. */
export function openFrame(options: {
  readonly source: PanelSource
  readonly shadow: ShadowRoot
  readonly close: () => void
}): () => void {
  const { source, shadow, close } = options
  const { ownerDocument: document } = shadow
  const view = document.defaultView ?? window
  const sheet = new view.CSSStyleSheet()
  sheet.replaceSync(frameStyle)
  shadow.adoptedStyleSheets = [...shadow.adoptedStyleSheets, sheet]

  const add = <Name extends 'button' | 'div' | 'section'>(
    name: Name,
    attributes: Readonly<Record<string, string>>,
  ): HTMLElementTagNameMap[Name] => {
    const made = document.createElement(name)
    for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
    return made
  }
  const frame = add('section', { class: 'frame', 'aria-label': 'dogear devtools' })
  const handle = add('div', {
    class: 'handle',
    role: 'separator',
    tabindex: '0',
    'aria-label': 'Height of the panel',
    'aria-orientation': 'horizontal',
    'aria-valuemin': String(least),
  })
  const button = add('button', { type: 'button', class: 'close', 'aria-label': 'Close' })
  button.textContent = '×'
  const place = add('div', { class: 'panel' })
  frame.append(handle, button, place)

  let { height } = readFrame()
  const resize = (wanted: number): void => {
    const most = Math.max(least, view.innerHeight - 48)
    height = Math.round(Math.min(most, Math.max(least, wanted)))
    frame.style.setProperty('--height', `${height}px`)
    handle.setAttribute('aria-valuenow', String(height))
    handle.setAttribute('aria-valuemax', String(most))
  }
  const keep = (): void => writeFrame({ ...readFrame(), height })

  handle.addEventListener('pointerdown', (down) => {
    handle.setPointerCapture(down.pointerId)
    const from = height + down.clientY
    const move = ({ clientY }: PointerEvent): void => resize(from - clientY)
    const end = (): void => {
      handle.removeEventListener('pointermove', move)
      keep()
    }
    handle.addEventListener('pointermove', move)
    handle.addEventListener('lostpointercapture', end, { once: true })
  })
  handle.addEventListener('keydown', (event) => {
    const by = { ArrowUp: step, ArrowDown: -step, PageUp: step * 4, PageDown: -step * 4 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    event.stopPropagation()
    resize(height + by)
    keep()
  })
  button.addEventListener('click', close)

  resize(height)
  shadow.append(frame)
  const unmount = mountPanel({ source, container: place })
  return () => {
    unmount()
    frame.remove()
    shadow.adoptedStyleSheets = shadow.adoptedStyleSheets.filter((other) => other !== sheet)
  }
}
