import { createRoot } from 'react-dom/client'
import type { PanelSource } from './source.ts'
import { styles } from './styles/index.ts'
import { Panel } from './views/Panel.tsx'

export interface MountOptions {
  readonly source: PanelSource
  /** Gets an open shadow root. The panel fills it, so it needs a height. */
  readonly container: HTMLElement
}

/** Stopped at the container, so that typing in the panel never runs a shortcut of the app. */
const keptEvents = ['keydown', 'keyup', 'keypress', 'beforeinput', 'paste'] as const

/**
 * Shows a panel inside a container, isolated from the page's styles and keys, and returns the function that
 * takes it away again. Style comes from a constructed sheet, so a strict content security policy allows it.
 */
export function mountPanel({ source, container }: MountOptions): () => void {
  const view = container.ownerDocument.defaultView ?? window
  const shadow = container.shadowRoot ?? container.attachShadow({ mode: 'open' })
  const sheet = new view.CSSStyleSheet()
  sheet.replaceSync(styles)
  shadow.adoptedStyleSheets = [sheet]
  const place = container.ownerDocument.createElement('div')
  place.className = 'place'
  shadow.append(place)
  const root = createRoot(place)
  root.render(<Panel source={source} />)

  const stop = (event: Event) => event.stopPropagation()
  for (const type of keptEvents) shadow.addEventListener(type, stop)

  return () => {
    for (const type of keptEvents) shadow.removeEventListener(type, stop)
    place.remove()
    // React does not allow one root to be unmounted while another one is committing.
    queueMicrotask(() => root.unmount())
  }
}
