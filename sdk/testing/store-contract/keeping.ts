import type { BranchStore } from '../../ports.ts'
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
import type { TestRunner } from './test-runner.ts'

/** What is committed comes back, and is listed. */
export function describeKeeping(store: () => BranchStore, { describe, expect, it }: TestRunner): void {
  describe('keeping', () => {
    it('is empty at first', async () => {
      expect(await store().branches()).toEqual([])
      expect(await store().load('a')).toBeNull()
      expect(await store().journal('a')).toEqual([])
      expect(await store().bodies([])).toEqual([])
    })

    it('gives back what was committed', async () => {
      const change = changeOf('a', {
        branch: branchRow('a', {
          format: 'anthropic',
          model: 'model-1',
          provider: 'provider-1',
          scales: { 'model-1': { reported: 5_001, counted: 4_999 } },
        }),
        lines: [
          lineRow('a', {
            lineId: 'main',
            anchor: { model: 'model-1', reported: 10, counted: 9, items: ['digest'] },
          }),
          lineRow('a', { lineId: 'child', parent: { lineId: 'main', index: 1 } }),
        ],
        entries: [
          entryOf('a', 0, 'one'),
          entryRow('a', 1, { lineId: 'child', kind: 'result', callId: 'call-1', name: 'search' }),
        ],
        bodies: [bodyRow('one')],
        journal: [journalRow('a', 0)],
      })
      await store().commit(change)
      expect(await store().load('a')).toEqual({
        branch: change.branch,
        lines: [change.lines[1], change.lines[0]],
        entries: [change.entries[1], change.entries[0]],
      })
      expect(await store().journal('a')).toEqual(change.journal)
      expect(await store().bodies([hashOf('one')])).toEqual([{ role: 'user', content: 'one' }])
    })

    it('replaces the branch and its lines, and keeps lines that a change does not name', async () => {
      await store().commit(changeOf('a', { lines: [lineRow('a'), lineRow('a', { lineId: 'other' })] }))
      const branch = branchRow('a', { updatedAt: 3_000, sequence: 9 })
      const line = lineRow('a', { view: [4, 5], updatedAt: 3_000 })
      await store().commit(changeOf('a', { branch, lines: [line] }))
      expect(await store().load('a')).toEqual({
        branch,
        lines: [line, lineRow('a', { lineId: 'other' })],
        entries: [],
      })
    })

    it('gives entries by index and the journal by sequence, however they came', async () => {
      const indexes = [10, 2, 0, 100, 1, 11, 20]
      await store().commit(
        changeOf('a', {
          entries: indexes.map((index) => entryRow('a', index)),
          journal: indexes.map((index) => journalRow('a', index)),
        }),
      )
      const ascending = [0, 1, 2, 10, 11, 20, 100]
      expect((await store().load('a'))?.entries.map((entry) => entry.index)).toEqual(ascending)
      expect((await store().journal('a')).map((row) => row.sequence)).toEqual(ascending)
    })

    it('[R67] keeps every entry and body when the view lets go of them', async () => {
      const first = smallBranch('a')
      await store().commit(first)
      await store().commit(changeOf('a', { lines: [lineRow('a', { view: [] })] }))
      const loaded = await store().load('a')
      expect(loaded?.lines[0]?.view).toEqual([])
      expect(loaded?.entries).toEqual(first.entries)
      expect(await store().bodies([hashOf('a')])).toHaveLength(1)
    })

    it('[R71, R85] gives the view back as the ordered list it was, and what was delivered beside it', async () => {
      const line = lineRow('a', {
        view: [7, 0, 12, 3],
        delivered: [3, 0],
        carried: [12, 3],
        window: { from: 1, to: 4 },
      })
      await store().commit(changeOf('a', { lines: [line] }))
      expect((await store().load('a'))?.lines).toEqual([line])
    })

    it('tells branches apart whose ids begin alike, are empty, or are no sound text', async () => {
      const ids = ['a', 'a ', 'aa', 'a\u0000', 'a,b', '', '__proto__', '\ud800', '\udfff', '😀', '["a"]']
      for (const id of ids) await store().commit(smallBranch(id))
      for (const id of ids) {
        expect((await store().load(id))?.entries).toEqual(smallBranch(id).entries)
        expect(await store().journal(id)).toEqual(smallBranch(id).journal)
      }
    })
  })

  describe('listing', () => {
    it('gives the branch that was updated last first', async () => {
      for (const [id, updatedAt] of [
        ['old', 1],
        ['b', 2],
        ['new', 3],
        ['a', 2],
      ] as const)
        await store().commit(changeOf(id, { branch: branchRow(id, { updatedAt }) }))
      expect((await store().branches()).map((branch) => branch.id)).toEqual(['new', 'a', 'b', 'old'])
      await store().commit(changeOf('old', { branch: branchRow('old', { updatedAt: 4 }) }))
      expect((await store().branches())[0]).toEqual(branchRow('old', { updatedAt: 4 }))
    })

    it('lists a thousand branches', async () => {
      await Promise.all(
        Array.from({ length: 1_000 }, (_, number) =>
          store().commit(
            changeOf(`branch-${number}`, { branch: branchRow(`branch-${number}`, { updatedAt: number }) }),
          ),
        ),
      )
      const listed = await store().branches()
      expect(listed).toHaveLength(1_000)
      expect(listed.map((branch) => branch.updatedAt)).toEqual(
        Array.from({ length: 1_000 }, (_, place) => 999 - place),
      )
    })
  })
}
