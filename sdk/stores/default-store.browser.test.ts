import { deleteDB, openDB } from 'idb'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createDogear } from '../dogear.ts'
import { warningsOf } from '../testing/open-fetch.ts'
import { databaseName } from './idb-schema.ts'

const chat = { model: 'm', messages: [{ role: 'user', content: 'Begin.' }] }

afterEach(async () => {
  vi.restoreAllMocks()
  await deleteDB(databaseName)
})

async function warned(
  use: (dogear: ReturnType<typeof createDogear>) => Promise<void>,
): Promise<readonly string[]> {
  const dogear = createDogear({ policy: { maxInputTokens: 'none' } })
  const events: Parameters<Parameters<typeof dogear.subscribe>[0]>[0][] = []
  dogear.subscribe((event) => events.push(event))
  await use(dogear).finally(() => dogear.close())
  return warningsOf(events).map(({ code }) => code)
}

describe('where no store is given', () => {
  it('branches are in IndexedDB, and there after a reload', async () => {
    const first = await warned(async (dogear) => {
      await (await dogear.branch('chat')).prepare(chat)
    })
    const second = await warned(async (dogear) => {
      expect(await dogear.branches()).toMatchObject([{ id: 'chat', entryCount: 1 }])
    })
    expect([first, second]).toEqual([[], []])
  })

  it.each([
    ['the page may not', () => new DOMException('no', 'SecurityError')],
    ['the database is broken', () => new DOMException('no', 'UnknownError')],
  ])('they are in memory where %s, and the chat goes on with a warning', async (_, failure) => {
    vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw failure()
    })
    const codes = await warned(async (dogear) => {
      const branch = await dogear.branch('chat')
      expect((await branch.prepare(chat)).decision.action).toBe('pass')
      expect((await branch.verify()).ok).toBe(true)
      expect(await dogear.branches()).toHaveLength(1)
    })
    expect(codes).toEqual(['store_in_memory'])
  })

  it('a database of a newer version is refused and left alone', async () => {
    ;(await openDB(databaseName, 99)).close()
    const codes = await warned(async (dogear) => {
      await expect(dogear.branch('chat')).rejects.toMatchObject({ code: 'store_newer' })
    })
    expect(codes).toEqual([])
    expect((await indexedDB.databases()).find(({ name }) => name === databaseName)?.version).toBe(99)
  })

  it('the browser tells how much there is, and whether it keeps it', async () => {
    const dogear = createDogear()
    const status = await dogear.storage()
    expect(status.quota).toBeGreaterThan(0)
    expect(typeof status.usage).toBe('number')
    expect(typeof status.persisted).toBe('boolean')
    expect(typeof (await dogear.persist())).toBe('boolean')
    await dogear.close()
  })
})
