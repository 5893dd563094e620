import { useEffect, useRef, useState } from 'react'
import { type PaneKeys, PanelContext, type PanelTools } from '../context.ts'
import { type Link, openLink } from '../link.ts'
import type { PanelSource } from '../source.ts'
import { createPanelStore } from '../store.ts'
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx'
import { Frame } from './Frame.tsx'

/** One mounted panel: its own store, connected to the source for as long as it is mounted. */
export function Panel({ source }: { readonly source: PanelSource }) {
  const [store] = useState(createPanelStore)
  const link = useRef<Link | null>(null)
  const paneKeys = useRef<PaneKeys | null>(null)
  const [tools] = useState<PanelTools>(() => ({
    source,
    store,
    paneKeys,
    wantEntries: (indexes) => link.current?.wantEntries(indexes),
    reload: () => link.current?.reload(),
  }))
  useEffect(() => {
    const opened = openLink(source, store)
    link.current = opened
    return () => {
      link.current = null
      opened.close()
    }
  }, [source, store])
  return (
    <PanelContext value={tools}>
      <ErrorBoundary name="The panel">
        <Frame />
      </ErrorBoundary>
    </PanelContext>
  )
}
