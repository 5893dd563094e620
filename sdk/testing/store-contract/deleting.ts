import type { BranchStore } from '../../ports.ts'
import { storeFailure } from '../store-failure.ts'
import { bodyRow, branchRow, changeOf, entryOf, hashOf, smallBranch } from '../store-rows.ts'
import { everything } from './everything.ts'
import type { TestRunner } from './test-runner.ts'

/** Deleting takes what a branch had and leaves what others have. */
export function describeDeleting(store: () => BranchStore, { describe, expect, it }: TestRunner): void {
  describe('deleting', () => {
    it('takes a branch with its lines, entries, journal and bodies', async () => {
      await store().commit(smallBranch('a'))
      await store().delete('a')
      expect(await store().branches()).toEqual([])
      expect(await store().load('a')).toBeNull()
      expect(await store().journal('a')).toEqual([])
      expect((await storeFailure(store().bodies([hashOf('a')]))).code).toBe('body_missing')
    })

    it('leaves nothing behind that a later branch of that id would inherit', async () => {
      await store().commit(smallBranch('a'))
      await store().delete('a')
      await store().commit(changeOf('a'))
      expect(await store().load('a')).toEqual({ branch: branchRow('a'), lines: [], entries: [] })
      expect(await store().journal('a')).toEqual([])
    })

    it('[R68] keeps every other branch as it is', async () => {
      const others = ['', 'a ', 'aa', 'A', 'b']
      for (const id of ['a', ...others]) await store().commit(smallBranch(id))
      const before = await Promise.all(others.map((id) => everything(store(), id)))
      await store().delete('a')
      expect(await Promise.all(others.map((id) => everything(store(), id)))).toEqual(before)
      expect(await store().bodies(others.map(hashOf))).toHaveLength(others.length)
    })

    it('keeps a body until the last branch that needs it is gone', async () => {
      await store().commit(smallBranch('a', 'shared'))
      await store().commit(changeOf('b', { entries: [entryOf('b', 0, 'shared')] }))
      await store().commit(smallBranch('c', 'shared'))
      await store().commit(smallBranch('c', 'shared'))
      for (const id of ['a', 'b']) {
        await store().delete(id)
        expect(await store().bodies([hashOf('shared')])).toHaveLength(1)
      }
      await store().delete('c')
      expect((await storeFailure(store().bodies([hashOf('shared')]))).code).toBe('body_missing')
    })

    it('collects a body that came without an entry', async () => {
      await store().commit(changeOf('a', { bodies: [bodyRow('one')] }))
      await store().delete('a')
      expect((await storeFailure(store().bodies([hashOf('one')]))).code).toBe('body_missing')
    })

    it('takes a body that was deleted once more', async () => {
      await store().commit(smallBranch('a'))
      await store().delete('a')
      await store().commit(smallBranch('a'))
      expect(await store().bodies([hashOf('a')])).toHaveLength(1)
      await store().delete('a')
      expect((await storeFailure(store().bodies([hashOf('a')]))).code).toBe('body_missing')
    })

    it('is no error where there is no such branch', async () => {
      await store().commit(smallBranch('b'))
      await store().delete('a')
      expect(await store().branches()).toHaveLength(1)
    })
  })
}
