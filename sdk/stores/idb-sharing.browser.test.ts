import { openDB } from 'idb'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { BranchStore } from '../ports.ts'
import { freshDatabase } from '../testing/fresh-database.ts'
import { bodyRow, branchRow, changeOf, hashOf, smallBranch } from '../testing/store-rows.ts'
import { indexedDbStore } from './idb.ts'

function stores(count: number, name = freshDatabase()): readonly BranchStore[] {
  const made = Array.from({ length: count }, () => indexedDbStore({ name }))
  onTestFinished(async () => {
    await Promise.all(made.map((store) => store.close()))
  })
  return made
}

function sharingOf(store: BranchStore | undefined): NonNullable<BranchStore['sharing']> {
  if (!store?.sharing) throw new TypeError('the storage of a browser is shared')
  return store.sharing
}

describe('stores of one database', () => {
  it('run their steps on one branch one after the other, and those on two branches side by side', async () => {
    const [one, two] = stores(2).map(sharingOf)
    const order: string[] = []
    const step = (name: string) => async () => {
      order.push(`${name} begins`)
      await new Promise((resolve) => setTimeout(resolve, 20))
      order.push(`${name} ends`)
    }
    await Promise.all([
      one?.exclusively('a', step('first')),
      two?.exclusively('a', step('second')),
      two?.exclusively('b', step('other')),
    ])
    expect(order.indexOf('second begins')).toBeGreaterThan(order.indexOf('first ends'))
    expect(order.indexOf('other begins')).toBeLessThan(order.indexOf('first ends'))
  })

  it('let a step begin all the same that has waited for five seconds, and tell it', async () => {
    const [one, two] = stores(2).map(sharingOf)
    let end = (): void => undefined
    const endless = one?.exclusively('a', () => {
      return new Promise<void>((resolve) => {
        end = resolve
      })
    })
    await new Promise((resolve) => setTimeout(resolve, 20))
    const waited = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort())
    onTestFinished(() => waited.mockRestore())
    expect(await two?.exclusively('a', async (isAlone) => isAlone)).toBe(false)
    expect(waited).toHaveBeenCalledWith(5_000)
    end()
    await endless
  })

  it('pass on what a step throws, and let the next one have its turn', async () => {
    const [one, two] = stores(2).map(sharingOf)
    const failed = one?.exclusively('a', async () => Promise.reject(new RangeError('of the step')))
    await expect(failed).rejects.toThrow('of the step')
    expect(await two?.exclusively('a', async (isAlone) => isAlone)).toBe(true)
  })

  it('hear of what another one changed and deleted, and not of what they did themselves', async () => {
    const [one, two] = stores(2)
    const heard: string[] = []
    const own: string[] = []
    onTestFinished(sharingOf(two).subscribe((id) => heard.push(id)))
    onTestFinished(sharingOf(one).subscribe((id) => own.push(id)))
    await one?.commit(smallBranch('a'), smallBranch('b'))
    await one?.delete('a')
    await vi.waitFor(() => expect(heard).toEqual(['a', 'b', 'a']))
    expect(own).toEqual([])
  })

  it('hear of nothing after they stopped listening, and never of what is no id', async () => {
    const name = freshDatabase()
    const [one, two] = stores(2, name)
    const heard: unknown[] = []
    const stop = sharingOf(two).subscribe((id) => heard.push(id))
    const channel = new BroadcastChannel(`dogear/${name}`)
    channel.postMessage({ branchId: 'forged' })
    await one?.commit(smallBranch('a'))
    await vi.waitFor(() => expect(heard).toEqual(['a']))
    channel.close()
    stop()
    await one?.commit(smallBranch('b'))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(heard).toEqual(['a'])
  })

  it('know which branches are open anywhere', async () => {
    const [one, two] = stores(2).map(sharingOf)
    const release = one?.hold('a')
    const other = one?.hold('with/slash')
    await vi.waitFor(async () => expect(await two?.held()).toEqual(new Set(['a', 'with/slash'])))
    release?.()
    other?.()
    await vi.waitFor(async () => expect(await two?.held()).toEqual(new Set()))
  })
})

describe('bodies that no branch refers to', () => {
  it('are collected, and no others', async () => {
    const name = freshDatabase()
    const [store] = stores(1, name)
    await store?.commit(changeOf('a', { branch: branchRow('a'), bodies: [bodyRow('kept')] }))
    const database = await openDB(name)
    await database.put('bodies', { hash: hashOf('lost'), json: '"lost"' })
    database.close()
    expect(await store?.collect()).toBe(1)
    expect(await store?.collect()).toBe(0)
    expect(await store?.bodies([hashOf('kept')])).toHaveLength(1)
    await expect(store?.bodies([hashOf('lost')])).rejects.toMatchObject({ code: 'body_missing' })
  })
})
