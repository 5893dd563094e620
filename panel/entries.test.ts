import { expect, it } from 'vitest'
import { addPage, type EntryCache, emptyEntries, entryAt, isFresh } from './entries.ts'
import { entriesPerPage, keptPages } from './limits.ts'
import { message } from './testing/fake-source.ts'

const withPage = (cache: EntryCache, page: number) =>
  addPage(cache, {
    page,
    revision: cache.revision,
    reply: { total: 100_000, messages: [message(page * entriesPerPage)] },
  })

it('finds an entry by its index, and the total', () => {
  const cache = withPage(emptyEntries, 3)
  expect(cache.total).toBe(100_000)
  expect(entryAt(cache, 3 * entriesPerPage)?.index).toBe(3 * entriesPerPage)
  expect(entryAt(cache, 1)).toBeUndefined()
})

it('shows a stale page until a fresh one comes', () => {
  const stale = { ...withPage(emptyEntries, 0), revision: 1 }
  expect(isFresh(stale, 0)).toBe(false)
  expect(entryAt(stale, 0)).toBeDefined()
  expect(isFresh(withPage(stale, 0), 0)).toBe(true)
})

it('forgets the page that was read longest ago when it holds too many', () => {
  let cache = emptyEntries
  for (let page = 0; page <= keptPages; page++) cache = withPage(cache, page)
  expect(cache.pages.size).toBe(keptPages)
  expect(entryAt(cache, 0)).toBeUndefined()
  expect(entryAt(cache, keptPages * entriesPerPage)).toBeDefined()
})

it('keeps a page that was read again when an older one has to go', () => {
  let cache = emptyEntries
  for (let page = 0; page < keptPages; page++) cache = withPage(cache, page)
  cache = withPage(withPage(cache, 0), keptPages)
  expect(entryAt(cache, 0)).toBeDefined()
  expect(entryAt(cache, entriesPerPage)).toBeUndefined()
})

it('takes a page that was asked for before a change as stale', () => {
  const changed = { ...emptyEntries, revision: 1 }
  const late = addPage(changed, { page: 0, revision: 0, reply: { total: 1, messages: [message(0)] } })
  expect(isFresh(late, 0)).toBe(false)
})
