import type { BranchStore } from '../../ports.ts'
import { storeFailure } from '../store-failure.ts'
import {
  bodyRow,
  branchRow,
  changeOf,
  entryOf,
  entryRow,
  hashOf,
  journalRow,
  smallBranch,
} from '../store-rows.ts'
import { everything } from './everything.ts'
import type { TestRunner } from './test-runner.ts'

/** Calls that are made at the same time go in their order, and closing waits for them. */
export function describeOrdering(store: () => BranchStore, { describe, expect, it }: TestRunner): void {
  describe('at the same time', () => {
    it('keeps every one of many commits', async () => {
      await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          store().commit(
            changeOf('a', {
              branch: branchRow('a', { entryCount: index + 1 }),
              entries: [entryOf('a', index, `name ${index % 7}`)],
              bodies: [bodyRow(`name ${index % 7}`)],
              journal: [journalRow('a', index)],
            }),
          ),
        ),
      )
      const stored = await everything(store(), 'a')
      expect(stored.branch?.entries).toHaveLength(50)
      expect(stored.branch?.branch.entryCount).toBe(50)
      expect(stored.journal).toHaveLength(50)
    })

    it('lets one of several commits win that claim one index', async () => {
      const outcomes = await Promise.allSettled(
        [1, 2, 3].map((chars) =>
          store().commit(
            changeOf('a', {
              branch: branchRow('a', { bytes: chars }),
              entries: [entryRow('a', 0, { chars })],
            }),
          ),
        ),
      )
      expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'rejected'])
      expect(await store().load('a')).toEqual({
        branch: branchRow('a', { bytes: 1 }),
        lines: [],
        entries: [entryRow('a', 0, { chars: 1 })],
      })
    })

    it('reads what was committed before, without waiting for it', async () => {
      const committed = store().commit(smallBranch('a'))
      expect((await store().load('a'))?.entries).toHaveLength(1)
      await committed
    })

    it('goes in the order of the calls', async () => {
      await Promise.all([
        store().commit(smallBranch('a')),
        store().delete('a'),
        store().commit(changeOf('a')),
        store().delete('b'),
      ])
      expect(await store().load('a')).toEqual({ branch: branchRow('a'), lines: [], entries: [] })
      expect((await storeFailure(store().bodies([hashOf('a')]))).code).toBe('body_missing')
    })
  })

  describe('closing', () => {
    it('waits for the commits that are under way', async () => {
      const order: string[] = []
      const committed = Array.from({ length: 5 }, (_, index) =>
        store()
          .commit(changeOf('a', { entries: [entryRow('a', index)] }))
          .then(() => order.push('committed')),
      )
      await store().close()
      order.push('closed')
      await Promise.all(committed)
      expect(order).toEqual([...Array.from({ length: 5 }, () => 'committed'), 'closed'])
    })

    it('is not for ever: a later call goes on with what is there', async () => {
      await store().close()
      await store().commit(smallBranch('a'))
      await store().close()
      await store().close()
      expect((await store().load('a'))?.entries).toHaveLength(1)
    })
  })
}
