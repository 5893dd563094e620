import { describe, expect, it } from 'vitest'
import { DogearError, StoreError } from './errors.ts'
import type { BranchStore } from './ports.ts'
import { memoryStore } from './stores/memory.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { toolChat } from './testing/tool-chat.ts'

const chat = toolChat([{ results: ['one', 'two'] }, { results: ['three'] }])

/** A stored branch over a store whose bodies are read in another way. */
async function stored(bodiesOf: (store: BranchStore) => Partial<BranchStore>) {
  const store = memoryStore()
  await (await openTestBranch({ store })).branch.prepare(chat)
  return (await openTestBranch({ store: { ...store, ...bodiesOf(store) } })).branch
}

/** The body that holds a text, in place of which a reader gets something else. */
function instead(text: string, give: () => Promise<never> | readonly [unknown]) {
  return (store: BranchStore): Partial<BranchStore> => ({
    async bodies(hashes) {
      const found = await store.bodies(hashes)
      const isIt = found.some((body) => JSON.stringify(body).includes(text))
      return (isIt ? await give() : found) as typeof found
    },
  })
}

describe('verify', () => {
  it('finds every original present and as it was stored', async () => {
    const branch = await stored(() => ({}))
    expect(await branch.verify()).toEqual({
      ok: true,
      entries: 9,
      originals: 9,
      missing: [],
      altered: [],
      damaged: [],
    })
    await branch.prepare(chat)
    await branch.compact({ start: 1, end: 6, summary: 'x' })
    expect(await branch.verify()).toMatchObject({ ok: true, originals: 9 })
  })

  it('names what is not there any more, and everything that stood in it', async () => {
    const lost = instead('"tool_calls"', () => {
      throw new StoreError({ code: 'body_missing', message: 'gone' })
    })
    expect(await (await stored(lost)).verify()).toEqual({
      ok: false,
      entries: 9,
      originals: 9,
      missing: [1, 2, 3, 6, 7],
      altered: [],
      damaged: [],
    })
  })

  it('names what cannot be read', async () => {
    const damaged = instead('two', () => {
      throw new StoreError({ code: 'store_failed', message: 'no JSON' })
    })
    expect(await (await stored(damaged)).verify()).toMatchObject({ ok: false, missing: [5], altered: [] })
  })

  it('names what is something else now, be it by one character', async () => {
    const changed = instead('two', () => [{ role: 'tool', tool_call_id: 'call_0_1', content: 'twO' }])
    const branch = await stored(changed)
    expect(await branch.verify()).toMatchObject({ ok: false, missing: [], altered: [5] })
  })

  it('reads the store, and not what is in memory', async () => {
    const store = memoryStore()
    const { branch } = await openTestBranch({ store })
    await branch.prepare(chat)
    store.bodies = async ([hash]) => {
      throw new StoreError({ code: 'body_missing', message: 'gone', fields: { hash } })
    }
    expect((await branch.verify()).missing).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
    expect((await branch.readResult({ index: 4 })).text).toBe('one')
  })

  it('rejects where the store cannot be used at all', async () => {
    const closed = instead('two', () => {
      throw new StoreError({ code: 'store_blocked', message: 'another tab' })
    })
    await expect((await stored(closed)).verify()).rejects.toMatchObject({ code: 'store_blocked' })
  })

  it('has nothing to read in an empty branch', async () => {
    const { branch } = await openTestBranch()
    expect(await branch.verify()).toEqual({
      ok: true,
      entries: 0,
      originals: 0,
      missing: [],
      altered: [],
      damaged: [],
    })
  })

  const rowOf = (index: number) => ({ branchId: 'chat', lineId: 'x', index }) as never
  it.each<[string, (row: { index: number }) => unknown]>([
    ['is not there', () => undefined],
    ['holds nothing', ({ index }) => rowOf(index)],
    ['is of no kind', (row) => ({ ...row, kind: 'sonnet' })],
    ['has another source', (row) => ({ ...row, source: 7 })],
  ])('names an entry whose row %s, and the rest of the branch works', async (_, change) => {
    const store = memoryStore()
    await (await openTestBranch({ store })).branch.prepare(chat)
    const load: BranchStore['load'] = async (id) => {
      const found = await store.load(id)
      if (found === null) return null
      const entries = found.entries.flatMap((entry) => {
        const changed = entry.index === 4 ? change(entry) : entry
        return changed ? [{ ...(changed as typeof entry), lineId: entry.lineId }] : []
      })
      return { ...found, entries }
    }
    const { branch } = await openTestBranch({ store: { ...store, load } })
    expect(await branch.verify()).toMatchObject({
      ok: false,
      entries: 9,
      missing: [],
      altered: [],
      damaged: [4],
    })
    expect((await branch.readResult({ index: 5 })).text).toBe('two')
    await expect(branch.readResult({ index: 4 })).rejects.toBeInstanceOf(DogearError)
    expect((await branch.getMessages({ scope: 'all' })).messages).toHaveLength(9)
    const { request } = await branch.prepare(
      toolChat([{ results: ['one', 'two'] }, { results: ['three'] }, { results: ['four'] }]),
    )
    expect(JSON.stringify(request)).toContain('four')
    expect((await branch.verify()).missing).toEqual([])
  })

  it('loses nothing but the original whose body is gone', async () => {
    const store = memoryStore()
    await (await openTestBranch({ store })).branch.prepare(chat)
    const bodies: BranchStore['bodies'] = async (hashes) => {
      const found = await store.bodies(hashes)
      if (JSON.stringify(found).includes('three'))
        throw new StoreError({ code: 'body_missing', message: 'gone' })
      return found
    }
    const { branch } = await openTestBranch({ store: { ...store, bodies } })
    expect((await branch.verify()).missing).toEqual([8])
    expect((await branch.getMessages({ scope: 'all' })).messages).toHaveLength(9)
    expect((await branch.readResult({ index: 5 })).text).toBe('two')
    await expect(branch.readResult({ index: 8 })).rejects.toMatchObject({ code: 'body_missing' })
    const { request } = await branch.prepare(chat)
    expect(request).toEqual(chat)
    expect((await branch.readResult({ index: 8 })).text).toBe('three')
  })

  it('shows all of a line whose row is none', async () => {
    const store = memoryStore()
    await (await openTestBranch({ store })).branch.prepare(chat)
    const load: BranchStore['load'] = async (id) => {
      const found = await store.load(id)
      return (
        found && {
          ...found,
          lines: found.lines.map(({ branchId, lineId }) => ({ branchId, lineId }) as never),
        }
      )
    }
    const { branch } = await openTestBranch({ store: { ...store, load } })
    expect(await branch.verify()).toMatchObject({ ok: true, entries: 9 })
    expect((await branch.prepare(chat)).request).toEqual(chat)
  })

  it('shows all of a line whose row is lost', async () => {
    const store = memoryStore()
    await (await openTestBranch({ store })).branch.prepare(chat)
    const load: BranchStore['load'] = async (id) => {
      const found = await store.load(id)
      return found && { ...found, lines: [] }
    }
    const { branch } = await openTestBranch({ store: { ...store, load } })
    expect(await branch.verify()).toMatchObject({ ok: true, entries: 9 })
    expect((await branch.prepare(chat)).request).toEqual(chat)
  })

  it('shows all of a line whose row is lost while that of another one is there', async () => {
    const store = memoryStore()
    const { branch: before } = await openTestBranch({ store })
    await before.prepare(chat)
    const parent = (await before.lines())[0]?.id
    const regenerated = toolChat([{ results: ['one', 'two'] }, { results: ['another'] }])
    await before.prepare(regenerated)
    const load: BranchStore['load'] = async (id) => {
      const found = await store.load(id)
      return found && { ...found, lines: found.lines.filter(({ lineId }) => lineId !== parent) }
    }
    const { branch } = await openTestBranch({ store: { ...store, load } })
    expect(await branch.lines()).toHaveLength(2)
    expect((await branch.verify()).ok).toBe(true)
    expect((await branch.prepare(regenerated)).request).toEqual(regenerated)
    expect((await branch.prepare(chat)).request).toEqual(chat)
    expect(await branch.lines()).toHaveLength(2)
  })

  it('begins an empty line where nothing but the branch is left', async () => {
    const store = memoryStore()
    await (await openTestBranch({ store })).branch.prepare(chat)
    const load: BranchStore['load'] = async (id) => {
      const found = await store.load(id)
      return found && { ...found, lines: [], entries: [] }
    }
    const { branch } = await openTestBranch({ store: { ...store, load } })
    expect(await branch.verify()).toMatchObject({ ok: true, entries: 0 })
  })
})
