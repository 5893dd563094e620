import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { page } from 'vitest/browser'
import { DogearPanel } from '../DogearPanel.tsx'
import type { PanelSource } from '../source.ts'

export interface OpenedPanel {
  /** The document inside the panel. */
  readonly shadow: ShadowRoot
  close(): void
}

export interface OpenPanelOptions {
  readonly width?: number
  readonly height?: number
}

/** Renders a panel as an app would, and waits until it is there. */
export async function openPanel(
  source: PanelSource,
  { width = 1_000, height = 700 }: OpenPanelOptions = {},
): Promise<OpenedPanel> {
  await page.viewport(width, height)
  const place = document.createElement('div')
  place.style.cssText = `width: ${width}px; height: ${height}px`
  document.body.style.margin = '0'
  document.body.append(place)
  const root = createRoot(place)
  root.render(
    <StrictMode>
      <DogearPanel source={source} />
    </StrictMode>,
  )
  const shadow = await waitFor(() => place.firstElementChild?.shadowRoot ?? null)
  await waitFor(() => shadow.querySelector('[role="tablist"]'))
  return {
    shadow,
    close() {
      root.unmount()
      place.remove()
    },
  }
}

/** Polls until there is a value; fails loudly where none comes. */
export async function waitFor<Value>(find: () => Value | null | undefined): Promise<Value> {
  const until = performance.now() + 5_000
  for (;;) {
    const found = find()
    if (found !== null && found !== undefined) return found
    if (performance.now() > until) throw new Error(`nothing was found in time by ${find}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
