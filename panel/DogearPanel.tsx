import { useEffect, useRef } from 'react'
import { mountPanel } from './mount.tsx'
import type { PanelSource } from './source.ts'

export interface DogearPanelProps {
  /** Keep one source per branch: a panel that is given another source starts over. */
  readonly source: PanelSource
  readonly className?: string
  /** Absent: as the system says. */
  readonly theme?: 'light' | 'dark'
}

/** The bare panel. It fills the box that its class gives it, and is usable from 360 px of width. */
export function DogearPanel({ source, className, theme }: DogearPanelProps) {
  const container = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (!container.current) return
    return mountPanel({ source, container: container.current })
  }, [source])
  return <div ref={container} className={className} data-theme={theme} />
}
