import type { BranchStore } from '../../ports.ts'
import { storeFailure } from '../store-failure.ts'
import { bodyRow, branchRow, changeOf, entryOf, hashOf, smallBranch } from '../store-rows.ts'
import { everything } from './everything.ts'
import type { TestRunner } from './test-runner.ts'

/** What those need who share a store: to know that a branch is another one by now, and to store several together. */
export function describeRevisions(store: () => BranchStore, { describe, expect, it }: TestRunner): void {
  describe('revisions', () => {
    it('shows the row of a branch by itself', async () => {
      expect(await store().row('a')).toBeNull()
      await store().commit(smallBranch('a'))
      expect(await store().row('a')).toEqual(branchRow('a'))
      await store().delete('a')
      expect(await store().row('a')).toBeNull()
    })

    it('takes a change that was made from what is stored, and from whatever is stored where it does not say', async () => {
      const revised = (revision: string) => changeOf('a', { branch: branchRow('a', { revision }) })
      await store().commit({ ...revised('one'), from: null })
      await store().commit({ ...revised('two'), from: 'one' })
      await store().commit(revised('three'))
      expect((await store().row('a'))?.revision).toBe('three')
    })

    it('knows a branch that was stored without a revision', async () => {
      await store().commit(smallBranch('a'))
      await store().commit(changeOf('a', { branch: branchRow('a', { revision: 'one' }), from: '' }))
      expect((await store().row('a'))?.revision).toBe('one')
    })

    const stale: readonly (readonly [what: string, from: string | null])[] = [
      ['an older revision', 'one'],
      ['a branch that was not there', null],
      ['one without a revision', ''],
    ]
    for (const [what, from] of stale)
      it(`refuses a change that was made from ${what}, and stores nothing of it`, async () => {
        await store().commit({ ...smallBranch('a'), branch: branchRow('a', { revision: 'two' }) })
        const before = await everything(store(), 'a')
        const change = changeOf('a', { from, entries: [entryOf('a', 1, 'new')], bodies: [bodyRow('new')] })
        expect(await storeFailure(store().commit(change))).toMatchObject({
          code: 'store_stale',
          fields: { branchId: 'a' },
        })
        expect(await everything(store(), 'a')).toEqual(before)
        expect((await storeFailure(store().bodies([hashOf('new')]))).code).toBe('body_missing')
      })

    it('refuses a change of a branch that was deleted', async () => {
      await store().commit({ ...smallBranch('a'), branch: branchRow('a', { revision: 'one' }) })
      await store().delete('a')
      expect((await storeFailure(store().commit({ ...smallBranch('a'), from: 'one' }))).code).toBe(
        'store_stale',
      )
      expect(await store().load('a')).toBeNull()
    })

    it('stores changes of several branches together', async () => {
      await store().commit(smallBranch('a', 'shared'), smallBranch('b', 'shared'))
      expect((await store().branches()).map(({ id }) => id)).toEqual(['a', 'b'])
      await store().delete('a')
      expect(await store().bodies([hashOf('shared')])).toEqual([{ role: 'user', content: 'shared' }])
      await store().commit()
    })

    it('stores none of several changes where one is refused', async () => {
      const broken = changeOf('b', { entries: [entryOf('b', 0, 'nowhere')] })
      expect((await storeFailure(store().commit(smallBranch('a'), broken))).code).toBe('body_missing')
      expect(await store().branches()).toEqual([])
      expect((await storeFailure(store().bodies([hashOf('a')]))).code).toBe('body_missing')
    })

    it('has no bodies to collect that a branch refers to', async () => {
      await store().commit(smallBranch('a'), smallBranch('b'))
      await store().delete('b')
      expect(await store().collect()).toBe(0)
      expect(await store().bodies([hashOf('a')])).toHaveLength(1)
    })
  })
}
