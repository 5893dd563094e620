import { type ReactNode, StrictMode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { expect, onTestFinished, vi } from 'vitest'

export interface Mounted {
  readonly place: HTMLElement
  render(node: ReactNode): void
  unmount(): void
}

/** Renders into the page, at once and with its effects. React must have nothing to say against it. */
export function mount(node: ReactNode, options: { readonly strict?: boolean } = {}): Mounted {
  const place = newPlace()
  const root = watched(createRoot(place))
  const mounted: Mounted = {
    place,
    render: (next) => flushSync(() => root.render(options.strict ? <StrictMode>{next}</StrictMode> : next)),
    unmount: () => flushSync(() => root.unmount()),
  }
  mounted.render(node)
  return mounted
}

/** Renders as a server does, and takes that over as a page does, which must find nothing else. */
export function hydrate(node: ReactNode): { readonly place: HTMLElement; readonly html: string } {
  const place = newPlace()
  place.innerHTML = renderToString(node)
  const html = place.innerHTML
  const recovered = vi.fn()
  watched(hydrateRoot(place, node, { onRecoverableError: recovered }))
  onTestFinished(() => expect(recovered).not.toHaveBeenCalled())
  return { place, html }
}

function newPlace(): HTMLElement {
  const place = document.createElement('div')
  document.body.append(place)
  onTestFinished(() => place.remove())
  return place
}

function watched(root: Root): Root {
  const said = vi.spyOn(console, 'error')
  onTestFinished(() => {
    root.unmount()
    expect(said).not.toHaveBeenCalled()
    said.mockRestore()
  })
  return root
}
