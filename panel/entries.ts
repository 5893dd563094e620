import type { MessagePreview, MessagePreviews } from '../sdk/branch.ts'
import { entriesPerPage, keptPages } from './limits.ts'

interface EntryPage {
  /** Revision of the cache at which the page was asked for. */
  readonly revision: number
  readonly byIndex: ReadonlyMap<number, MessagePreview>
}

/** Message previews that have been asked for, in pages of record indexes. */
export interface EntryCache {
  /** Entries of the record; null until the first answer. */
  readonly total: number | null
  readonly pages: ReadonlyMap<number, EntryPage>
  /** Why the last page did not come. */
  readonly failure: string | null
  /** Rises when what is cached may no longer hold; a stale page is shown until a fresh one comes. */
  readonly revision: number
}

export const emptyEntries: EntryCache = { total: null, pages: new Map(), failure: null, revision: 0 }

/** Number of the page that holds a record index. */
export function pageOf(index: number): number {
  return Math.floor(index / entriesPerPage)
}

export function entryAt(cache: EntryCache, index: number): MessagePreview | undefined {
  return cache.pages.get(pageOf(index))?.byIndex.get(index)
}

export function isFresh(cache: EntryCache, page: number): boolean {
  return cache.pages.get(page)?.revision === cache.revision
}

/** The cache with one page added. The page that was added longest ago is forgotten first. */
export function addPage(
  cache: EntryCache,
  { page, revision, reply }: { page: number; revision: number; reply: MessagePreviews },
): EntryCache {
  const pages = new Map(cache.pages)
  pages.delete(page)
  pages.set(page, {
    revision,
    byIndex: new Map(reply.messages.map((message) => [message.index, message])),
  })
  for (const oldest of pages.keys()) {
    if (pages.size <= keptPages) break
    pages.delete(oldest)
  }
  return { ...cache, total: reply.total, pages, failure: null }
}
