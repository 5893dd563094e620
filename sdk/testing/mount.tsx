import { type ReactNode, StrictMode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { onTestFinished } from 'vitest'

export interface Mounted {
  readonly place: HTMLElement
  render(node: ReactNode): void
  unmount(): void
}

/** Renders into the page, at once and with its effects; gone when the test has ended. */
export function mount(node: ReactNode, options: { readonly strict?: boolean } = {}): Mounted {
  const place = document.createElement('div')
  document.body.append(place)
  const root = createRoot(place)
  const mounted: Mounted = {
    place,
    render: (next) => flushSync(() => root.render(options.strict ? <StrictMode>{next}</StrictMode> : next)),
    unmount: () => flushSync(() => root.unmount()),
  }
  onTestFinished(() => {
    mounted.unmount()
    place.remove()
  })
  mounted.render(node)
  return mounted
}
