import { createContext, type RefObject, useContext, useEffect } from 'react'
import { useStore } from 'zustand'
import type { PanelSource } from './source.ts'
import type { PanelState, PanelStore } from './store.ts'

/** What the keyboard does in the tab that is open. */
export interface PaneKeys {
  move(to: -1 | 1 | -10 | 10 | 'first' | 'last'): void
  open(): void
  /** Goes to the previous or next fold. */
  fold(direction: -1 | 1): void
}

export interface PanelTools {
  readonly source: PanelSource
  readonly store: PanelStore
  readonly wantEntries: (indexes: readonly number[]) => void
  readonly reload: () => void
  readonly paneKeys: RefObject<PaneKeys | null>
}

export const PanelContext = createContext<PanelTools | null>(null)

export function usePanelTools(): PanelTools {
  const tools = useContext(PanelContext)
  if (!tools) throw new Error('a view of the panel was rendered outside <Panel/>; render it inside')
  return tools
}

export function usePanel<Value>(select: (state: PanelState) => Value): Value {
  return useStore(usePanelTools().store, select)
}

/** Gives the keyboard to the pane that is on screen. */
export function usePaneKeys(keys: PaneKeys): void {
  const { paneKeys } = usePanelTools()
  useEffect(() => {
    paneKeys.current = keys
    return () => {
      if (paneKeys.current === keys) paneKeys.current = null
    }
  })
}
