import { useEffect, useRef } from 'react'
import { type DevtoolsOptions, mountDevtools } from './devtools.ts'

export type DogearDevtoolsProps = Omit<DevtoolsOptions, 'container'> & {
  /** Absent: as the system says. */
  readonly theme?: 'light' | 'dark'
}

/** The panel as it floats over an app: a button in the corner, and the panel behind it. */
export function FloatingDevtools({ source, hotkey, theme }: DogearDevtoolsProps) {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!container.current) return
    return mountDevtools({
      source,
      container: container.current,
      ...(hotkey === undefined ? {} : { hotkey }),
    })
  }, [source, hotkey])
  return <div ref={container} data-theme={theme} />
}
