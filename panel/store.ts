import { createStore, type StoreApi } from 'zustand/vanilla'
import type { FoldPreview } from '../sdk/branch.ts'
import { type EntryCache, emptyEntries } from './entries.ts'
import { emptyRecord, type PanelRecord } from './reduce.ts'
import type { EntryFilter, RequestFilter } from './select.ts'

export type TabName = 'requests' | 'messages' | 'folds'

export type Connection =
  | { readonly type: 'connecting' }
  | { readonly type: 'connected' }
  | { readonly type: 'failed'; readonly reason: string }

/** The next request's size: not asked yet, known (null before the first request), or refused with a reason. */
export type PreviewState =
  | { readonly type: 'waiting' }
  | { readonly type: 'known'; readonly preview: FoldPreview | null }
  | { readonly type: 'refused'; readonly reason: string }

/** Everything that one mounted panel knows and shows. */
export interface PanelState {
  readonly connection: Connection
  readonly branchId: string | null
  readonly record: PanelRecord
  readonly preview: PreviewState
  readonly entries: EntryCache
  readonly tab: TabName
  /** Key of the request that is looked at; null follows the newest. */
  readonly viewedRequest: string | null
  readonly viewedFold: string | null
  readonly viewedEntry: number | null
  /** Whether a narrow panel shows the detail in place of the list. */
  readonly detailOpen: boolean
  readonly requestFilter: RequestFilter
  readonly entryFilter: EntryFilter
  readonly search: string
  readonly helpOpen: boolean
  /** What a screen reader is told. */
  readonly announcement: string
}

export type PanelStore = StoreApi<PanelState>

/** One store per mounted panel: two panels on a page share nothing. */
export function createPanelStore(): PanelStore {
  return createStore<PanelState>()(() => ({
    connection: { type: 'connecting' },
    branchId: null,
    record: emptyRecord,
    preview: { type: 'waiting' },
    entries: emptyEntries,
    tab: 'requests',
    viewedRequest: null,
    viewedFold: null,
    viewedEntry: null,
    detailOpen: false,
    requestFilter: 'all',
    entryFilter: 'all',
    search: '',
    helpOpen: false,
    announcement: '',
  }))
}

/** Opens a tab. With something of it to view, that is shown whatever was searched and filtered before. */
export function openTab(
  store: PanelStore,
  tab: TabName,
  viewed?: Partial<Pick<PanelState, 'viewedRequest' | 'viewedFold' | 'viewedEntry'>>,
): void {
  const unfiltered = { requestFilter: 'all', entryFilter: 'all' } as const
  store.setState({ tab, search: '', detailOpen: viewed !== undefined, ...(viewed && unfiltered), ...viewed })
}

/** Follows the newest request and the newest fold again. */
export function goLive(store: PanelStore): void {
  store.setState({ viewedRequest: null, viewedFold: null })
}
