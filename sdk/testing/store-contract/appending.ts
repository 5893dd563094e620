import type { BranchChange, BranchStore } from '../../ports.ts'
import { storeFailure } from '../store-failure.ts'
import {
  bodyRow,
  branchRow,
  changeOf,
  entryOf,
  entryRow,
  hashOf,
  journalRow,
  lineRow,
  smallBranch,
} from '../store-rows.ts'
import { everything } from './everything.ts'
import type { TestRunner } from './test-runner.ts'

/** What is recorded never changes. */
export function describeAppending(store: () => BranchStore, { describe, expect, it }: TestRunner): void {
  describe('append-only', () => {
    it('takes the same step twice', async () => {
      await store().commit(smallBranch('a'))
      const once = await everything(store(), 'a')
      await store().commit(smallBranch('a'))
      expect(await everything(store(), 'a')).toEqual(once)
    })

    it('does not mind in which order the keys of an equal row stand', async () => {
      await store().commit(changeOf('a', { entries: [entryOf('a', 0, 'one')], bodies: [bodyRow('one')] }))
      const { source, ...rest } = entryOf('a', 0, 'one')
      const turned = {
        source: Object.fromEntries(Object.entries(source ?? {}).reverse()) as typeof source & object,
        ...rest,
      }
      await store().commit(changeOf('a', { entries: [turned] }))
      expect((await store().load('a'))?.entries).toEqual([entryOf('a', 0, 'one')])
    })

    const conflicts: readonly (readonly [what: string, conflicting: Partial<BranchChange>])[] = [
      ['an entry', { entries: [entryRow('a', 1), entryRow('a', 0, { chars: 6 })] }],
      [
        'an entry that lost a field',
        {
          entries: [
            entryRow('a', 1),
            entryRow('a', 0, { source: { hash: hashOf('a'), first: 0, draft: 0, of: 2 } }),
          ],
        },
      ],
      ['a journal row', { journal: [journalRow('a', 1), journalRow('a', 0, 'other')] }],
      ['two entries of one change', { entries: [entryRow('a', 1), entryRow('a', 1, { chars: 6 })] }],
      ['two journal rows of one change', { journal: [journalRow('a', 1), journalRow('a', 1, 'other')] }],
    ]
    for (const [what, conflicting] of conflicts)
      it(`refuses ${what} with other content, and stores nothing of that change`, async () => {
        await store().commit(smallBranch('a'))
        const before = await everything(store(), 'a')
        const change = changeOf('a', {
          branch: branchRow('a', { updatedAt: 9_000 }),
          lines: [lineRow('a', { view: [0, 1] }), lineRow('a', { lineId: 'new' })],
          bodies: [bodyRow('new')],
          journal: [journalRow('a', 5)],
          ...conflicting,
        })
        expect(await storeFailure(store().commit(change))).toMatchObject({
          code: 'store_conflict',
          fields: { branchId: 'a' },
        })
        expect(await everything(store(), 'a')).toEqual(before)
        expect((await storeFailure(store().bodies([hashOf('new')]))).code).toBe('body_missing')
      })

    it('takes a step of hundreds of rows whole, or nothing of it', async () => {
      const names = Array.from({ length: 230 }, (_, index) => `row ${index}`)
      const step = {
        lines: [lineRow('a')],
        entries: names.map((name, index) => entryOf('a', index, name)),
        bodies: names.map((name) => bodyRow(name)),
        journal: names.map((_, sequence) => journalRow('a', sequence)),
      }
      const withoutLast = { ...step, bodies: step.bodies.slice(0, -1) }
      expect((await storeFailure(store().commit(changeOf('a', withoutLast)))).code).toBe('body_missing')
      expect(await store().branches()).toEqual([])
      await store().commit(changeOf('a', step))
      expect((await store().load('a'))?.entries).toEqual(step.entries)
      expect(await store().journal('a')).toEqual(step.journal)
      expect(await store().bodies(names.map(hashOf))).toEqual(
        names.map((content) => ({ role: 'user', content })),
      )
    })

    it('leaves no trace of a branch whose first step was refused', async () => {
      const conflicting = [entryRow('a', 0), entryRow('a', 0, { chars: 6 })]
      expect((await storeFailure(store().commit(changeOf('a', { entries: conflicting })))).code).toBe(
        'store_conflict',
      )
      expect(await store().branches()).toEqual([])
    })

    it('keeps an index of one line apart from the same index of another', async () => {
      const rows = [entryRow('a', 0, { chars: 1 }), entryRow('a', 0, { lineId: 'child', chars: 2 })]
      await store().commit(changeOf('a', { entries: rows }))
      expect((await store().load('a'))?.entries.map((entry) => entry.chars)).toEqual([2, 1])
    })

    it('[R68] refuses rows of another branch, and leaves that branch as it is', async () => {
      await store().commit(smallBranch('a'))
      await store().commit(smallBranch('b'))
      const before = await everything(store(), 'b')
      const foreign = [
        { lines: [lineRow('b', { view: [] })] },
        { entries: [entryRow('b', 1)] },
        { journal: [journalRow('b', 1)] },
      ]
      for (const rows of foreign)
        expect((await storeFailure(store().commit(changeOf('a', rows)))).code).toBe('invalid_argument')
      expect(await everything(store(), 'b')).toEqual(before)
    })
  })
}
