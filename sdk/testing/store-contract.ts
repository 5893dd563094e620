import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { DogearErrorCode } from '../errors.ts'
import type { BranchStore, JournalRow } from '../ports.ts'
import { storeFailure } from './store-failure.ts'
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
} from './store-rows.ts'

/**
 * What every `BranchStore` must do. `makeStore` must give an empty store each time; the suite closes it.
 * Runs under Vitest, in the environment that the store is made for.
 */
export function describeBranchStore(name: string, makeStore: () => BranchStore | Promise<BranchStore>): void {
  describe(`${name} as a branch store`, () => {
    let store: BranchStore

    beforeEach(async () => {
      store = await makeStore()
    })

    afterEach(() => store.close())

    describe('keeping', () => {
      it('is empty at first', async () => {
        expect(await store.branches()).toEqual([])
        expect(await store.load('a')).toBeNull()
        expect(await store.journal('a')).toEqual([])
        expect(await store.bodies([])).toEqual([])
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
        await store.commit(change)
        expect(await store.load('a')).toEqual({
          branch: change.branch,
          lines: [change.lines[1], change.lines[0]],
          entries: [change.entries[1], change.entries[0]],
        })
        expect(await store.journal('a')).toEqual(change.journal)
        expect(await store.bodies([hashOf('one')])).toEqual([{ role: 'user', content: 'one' }])
      })

      it('replaces the branch and its lines, and keeps lines that a change does not name', async () => {
        await store.commit(changeOf('a', { lines: [lineRow('a'), lineRow('a', { lineId: 'other' })] }))
        const branch = branchRow('a', { updatedAt: 3_000, sequence: 9 })
        const line = lineRow('a', { view: [4, 5], updatedAt: 3_000 })
        await store.commit(changeOf('a', { branch, lines: [line] }))
        expect(await store.load('a')).toEqual({
          branch,
          lines: [line, lineRow('a', { lineId: 'other' })],
          entries: [],
        })
      })

      it('gives entries by index and the journal by sequence, however they came', async () => {
        const indexes = [10, 2, 0, 100, 1, 11, 20]
        await store.commit(
          changeOf('a', {
            entries: indexes.map((index) => entryRow('a', index)),
            journal: indexes.map((index) => journalRow('a', index)),
          }),
        )
        const ascending = [0, 1, 2, 10, 11, 20, 100]
        expect((await store.load('a'))?.entries.map((entry) => entry.index)).toEqual(ascending)
        expect((await store.journal('a')).map((row) => row.sequence)).toEqual(ascending)
      })

      it('[R67] keeps every entry and body when the view lets go of them', async () => {
        const first = smallBranch('a')
        await store.commit(first)
        await store.commit(changeOf('a', { lines: [lineRow('a', { view: [] })] }))
        const loaded = await store.load('a')
        expect(loaded?.lines[0]?.view).toEqual([])
        expect(loaded?.entries).toEqual(first.entries)
        expect(await store.bodies([hashOf('a')])).toHaveLength(1)
      })

      it('[R71, R85] gives the view back as the ordered list it was, and what was delivered beside it', async () => {
        const line = lineRow('a', {
          view: [7, 0, 12, 3],
          delivered: [3, 0],
          carried: [12, 3],
          window: { from: 1, to: 4 },
        })
        await store.commit(changeOf('a', { lines: [line] }))
        expect((await store.load('a'))?.lines).toEqual([line])
      })

      it('tells branches apart whose ids begin alike, are empty, or are no sound text', async () => {
        const ids = ['a', 'a ', 'aa', 'a\u0000', 'a,b', '', '__proto__', '\ud800', '\udfff', '😀', '["a"]']
        for (const id of ids) await store.commit(smallBranch(id))
        for (const id of ids) {
          expect((await store.load(id))?.entries).toEqual(smallBranch(id).entries)
          expect(await store.journal(id)).toEqual(smallBranch(id).journal)
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
          await store.commit(changeOf(id, { branch: branchRow(id, { updatedAt }) }))
        expect((await store.branches()).map((branch) => branch.id)).toEqual(['new', 'a', 'b', 'old'])
        await store.commit(changeOf('old', { branch: branchRow('old', { updatedAt: 4 }) }))
        expect((await store.branches())[0]).toEqual(branchRow('old', { updatedAt: 4 }))
      })

      it('lists a thousand branches', async () => {
        await Promise.all(
          Array.from({ length: 1_000 }, (_, number) =>
            store.commit(
              changeOf(`branch-${number}`, { branch: branchRow(`branch-${number}`, { updatedAt: number }) }),
            ),
          ),
        )
        const listed = await store.branches()
        expect(listed).toHaveLength(1_000)
        expect(listed.map((branch) => branch.updatedAt)).toEqual(
          Array.from({ length: 1_000 }, (_, place) => 999 - place),
        )
      })
    })

    describe('append-only', () => {
      it('takes the same step twice', async () => {
        await store.commit(smallBranch('a'))
        const once = await everything(store, 'a')
        await store.commit(smallBranch('a'))
        expect(await everything(store, 'a')).toEqual(once)
      })

      it('does not mind in which order the keys of an equal row stand', async () => {
        await store.commit(changeOf('a', { entries: [entryOf('a', 0, 'one')], bodies: [bodyRow('one')] }))
        const { source, ...rest } = entryOf('a', 0, 'one')
        const turned = {
          source: Object.fromEntries(Object.entries(source ?? {}).reverse()) as typeof source & object,
          ...rest,
        }
        await store.commit(changeOf('a', { entries: [turned] }))
        expect((await store.load('a'))?.entries).toEqual([entryOf('a', 0, 'one')])
      })

      it.each([
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
      ])('refuses %s with other content, and stores nothing of that change', async (_, conflicting) => {
        await store.commit(smallBranch('a'))
        const before = await everything(store, 'a')
        const change = changeOf('a', {
          branch: branchRow('a', { updatedAt: 9_000 }),
          lines: [lineRow('a', { view: [0, 1] }), lineRow('a', { lineId: 'new' })],
          bodies: [bodyRow('new')],
          journal: [journalRow('a', 5)],
          ...conflicting,
        })
        expect(await storeFailure(store.commit(change))).toMatchObject({
          code: 'store_conflict',
          fields: { branchId: 'a' },
        })
        expect(await everything(store, 'a')).toEqual(before)
        expect(await code(store.bodies([hashOf('new')]))).toBe('body_missing')
      })

      it('leaves no trace of a branch whose first step was refused', async () => {
        const conflicting = [entryRow('a', 0), entryRow('a', 0, { chars: 6 })]
        expect(await code(store.commit(changeOf('a', { entries: conflicting })))).toBe('store_conflict')
        expect(await store.branches()).toEqual([])
      })

      it('keeps an index of one line apart from the same index of another', async () => {
        const rows = [entryRow('a', 0, { chars: 1 }), entryRow('a', 0, { lineId: 'child', chars: 2 })]
        await store.commit(changeOf('a', { entries: rows }))
        expect((await store.load('a'))?.entries.map((entry) => entry.chars)).toEqual([2, 1])
      })

      it('[R68] refuses rows of another branch, and leaves that branch as it is', async () => {
        await store.commit(smallBranch('a'))
        await store.commit(smallBranch('b'))
        const before = await everything(store, 'b')
        const foreign = [
          { lines: [lineRow('b', { view: [] })] },
          { entries: [entryRow('b', 1)] },
          { journal: [journalRow('b', 1)] },
        ]
        for (const rows of foreign)
          expect(await code(store.commit(changeOf('a', rows)))).toBe('invalid_argument')
        expect(await everything(store, 'b')).toEqual(before)
      })
    })

    describe('bodies', () => {
      it('come in the order asked, as often as asked', async () => {
        await store.commit(changeOf('a', { bodies: [bodyRow('one'), bodyRow('two')] }))
        const asked = ['two', 'one', 'two']
        expect(await store.bodies(asked.map(hashOf))).toEqual(
          asked.map((name) => ({ role: 'user', content: name })),
        )
      })

      it('are missing by the name of the first that is not there', async () => {
        await store.commit(changeOf('a', { bodies: [bodyRow('one'), { hash: hashOf('broken'), json: '{' }] }))
        const missing = await storeFailure(store.bodies(['broken', 'one', 'lost', 'gone'].map(hashOf)))
        expect(missing).toMatchObject({ code: 'body_missing', fields: { hash: hashOf('lost') } })
        expect(missing.message).toContain(hashOf('lost'))
      })

      it('keep the text that came first', async () => {
        await store.commit(changeOf('a', { bodies: [bodyRow('one')] }))
        await store.commit(changeOf('b', { bodies: [bodyRow('one', 'something else')] }))
        expect(await store.bodies([hashOf('one')])).toEqual([{ role: 'user', content: 'one' }])
      })

      it('must be there, or come, with the entry that names them', async () => {
        const entries = [entryOf('a', 0, 'one')]
        const refused = await storeFailure(store.commit(changeOf('a', { entries })))
        expect(refused).toMatchObject({ code: 'body_missing', fields: { hash: hashOf('one') } })
        expect(await store.branches()).toEqual([])
        await store.commit(changeOf('b', { bodies: [bodyRow('one')] }))
        await store.commit(changeOf('a', { entries }))
        expect((await store.load('a'))?.entries).toEqual(entries)
      })

      it('say nothing of their text where it cannot be read', async () => {
        await store.commit(changeOf('a', { bodies: [{ hash: hashOf('one'), json: '{"content": secret' }] }))
        const damaged = await storeFailure(store.bodies([hashOf('one')]))
        expect(damaged).toMatchObject({ code: 'store_failed', fields: { hash: hashOf('one') } })
        expect(`${damaged.message} ${JSON.stringify(damaged.fields)} ${damaged.cause}`).not.toContain(
          'secret',
        )
      })

      it('may hold any text and any shape', async () => {
        const content = 'line\u2028 quote" \u0000 \ud83d\ude00 e\u0301 לא'
        const lone = '{"content":"\ud83d and \udc00, escaped \\ud800"}'
        await store.commit(
          changeOf('a', {
            bodies: [
              bodyRow('text', { content }),
              { hash: hashOf('lone'), json: lone },
              bodyRow('list', [1, [null, true, 'x', {}]]),
              bodyRow('null', null),
              { hash: hashOf('proto'), json: '{"__proto__":{"a":1}}' },
            ],
          }),
        )
        const [text, surrogates, list, nothing, proto] = await store.bodies(
          ['text', 'lone', 'list', 'null', 'proto'].map(hashOf),
        )
        expect(text).toEqual({ content })
        expect(surrogates).toEqual({ content: '\ud83d and \udc00, escaped \ud800' })
        expect(list).toEqual([1, [null, true, 'x', {}]])
        expect(nothing).toBeNull()
        expect(JSON.stringify(proto)).toBe('{"__proto__":{"a":1}}')
      })

      it('may be five megabytes long, or nest deeper than a stack', async () => {
        const content = 'Lorem ipsum 😀 '.repeat(350_000)
        const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
        await store.commit(
          changeOf('a', { bodies: [bodyRow('large', { content }), { hash: hashOf('deep'), json: deep }] }),
        )
        const [large, nested] = await store.bodies([hashOf('large'), hashOf('deep')])
        expect(large).toEqual({ content })
        expect(Object.isFrozen(nested)).toBe(true)
      })
    })

    describe('standing apart from its caller', () => {
      it('does not see what the caller does to its objects afterwards', async () => {
        const view = [0]
        const policy: Record<string, unknown> = { maxInputTokens: 1 }
        const row = journalRow('a', 0)
        const journal = [row]
        const entries = [entryRow('a', 0)]
        const committed = store.commit(
          changeOf('a', {
            branch: branchRow('a', { policy }),
            lines: [lineRow('a', { view })],
            entries,
            journal,
          }),
        )
        view.push(1)
        policy.maxInputTokens = 2
        Object.assign(row.record, { requestId: 'changed' })
        entries.length = 0
        await committed
        journal.length = 0
        const stored = await everything(store, 'a')
        expect(stored.branch?.lines[0]?.view).toEqual([0])
        expect(stored.branch?.branch.policy).toEqual({ maxInputTokens: 1 })
        expect(stored.branch?.entries).toEqual([entryRow('a', 0)])
        expect(stored.journal).toEqual([journalRow('a', 0)])
      })

      it('gives back only what nobody can change', async () => {
        await store.commit(smallBranch('a'))
        const given = [
          await store.branches(),
          await store.load('a'),
          await store.journal('a'),
          await store.bodies([hashOf('a')]),
        ]
        expect(given.flatMap(unfrozen)).toEqual([])
      })

      it('refuses rows that cannot be copied, and stores nothing of that change', async () => {
        const policy = { maxInputTokens: () => 1 }
        const refused = await storeFailure(
          store.commit({ ...smallBranch('a'), branch: branchRow('a', { policy }) }),
        )
        expect(refused.code).toBe('store_failed')
        expect(refused.cause).toMatchObject({ name: 'DataCloneError' })
        expect(await store.branches()).toEqual([])
      })
    })

    describe('deleting', () => {
      it('takes a branch with its lines, entries, journal and bodies', async () => {
        await store.commit(smallBranch('a'))
        await store.delete('a')
        expect(await store.branches()).toEqual([])
        expect(await store.load('a')).toBeNull()
        expect(await store.journal('a')).toEqual([])
        expect(await code(store.bodies([hashOf('a')]))).toBe('body_missing')
      })

      it('leaves nothing behind that a later branch of that id would inherit', async () => {
        await store.commit(smallBranch('a'))
        await store.delete('a')
        await store.commit(changeOf('a'))
        expect(await store.load('a')).toEqual({ branch: branchRow('a'), lines: [], entries: [] })
        expect(await store.journal('a')).toEqual([])
      })

      it('[R68] keeps every other branch as it is', async () => {
        const others = ['', 'a ', 'aa', 'A', 'b']
        for (const id of ['a', ...others]) await store.commit(smallBranch(id))
        const before = await Promise.all(others.map((id) => everything(store, id)))
        await store.delete('a')
        expect(await Promise.all(others.map((id) => everything(store, id)))).toEqual(before)
        expect(await store.bodies(others.map(hashOf))).toHaveLength(others.length)
      })

      it('keeps a body until the last branch that needs it is gone', async () => {
        await store.commit(smallBranch('a', 'shared'))
        await store.commit(changeOf('b', { entries: [entryOf('b', 0, 'shared')] }))
        await store.commit(smallBranch('c', 'shared'))
        await store.commit(smallBranch('c', 'shared'))
        for (const id of ['a', 'b']) {
          await store.delete(id)
          expect(await store.bodies([hashOf('shared')])).toHaveLength(1)
        }
        await store.delete('c')
        expect(await code(store.bodies([hashOf('shared')]))).toBe('body_missing')
      })

      it('collects a body that came without an entry', async () => {
        await store.commit(changeOf('a', { bodies: [bodyRow('one')] }))
        await store.delete('a')
        expect(await code(store.bodies([hashOf('one')]))).toBe('body_missing')
      })

      it('takes a body that was deleted once more', async () => {
        await store.commit(smallBranch('a'))
        await store.delete('a')
        await store.commit(smallBranch('a'))
        expect(await store.bodies([hashOf('a')])).toHaveLength(1)
        await store.delete('a')
        expect(await code(store.bodies([hashOf('a')]))).toBe('body_missing')
      })

      it('is no error where there is no such branch', async () => {
        await store.commit(smallBranch('b'))
        await store.delete('a')
        expect(await store.branches()).toHaveLength(1)
      })
    })

    describe('at the same time', () => {
      it('keeps every one of many commits', async () => {
        await Promise.all(
          Array.from({ length: 50 }, (_, index) =>
            store.commit(
              changeOf('a', {
                branch: branchRow('a', { entryCount: index + 1 }),
                entries: [entryOf('a', index, `name ${index % 7}`)],
                bodies: [bodyRow(`name ${index % 7}`)],
                journal: [journalRow('a', index)],
              }),
            ),
          ),
        )
        const stored = await everything(store, 'a')
        expect(stored.branch?.entries).toHaveLength(50)
        expect(stored.branch?.branch.entryCount).toBe(50)
        expect(stored.journal).toHaveLength(50)
      })

      it('lets one of two commits win that claim one index', async () => {
        const outcomes = await Promise.allSettled(
          [1, 2, 3].map((chars) =>
            store.commit(
              changeOf('a', {
                branch: branchRow('a', { bytes: chars }),
                entries: [entryRow('a', 0, { chars })],
              }),
            ),
          ),
        )
        expect(outcomes.map((outcome) => outcome.status)).toEqual(['fulfilled', 'rejected', 'rejected'])
        expect(await store.load('a')).toEqual({
          branch: branchRow('a', { bytes: 1 }),
          lines: [],
          entries: [entryRow('a', 0, { chars: 1 })],
        })
      })

      it('reads what was committed before, without waiting for it', async () => {
        const committed = store.commit(smallBranch('a'))
        expect((await store.load('a'))?.entries).toHaveLength(1)
        await committed
      })

      it('goes in the order of the calls', async () => {
        await Promise.all([
          store.commit(smallBranch('a')),
          store.delete('a'),
          store.commit(changeOf('a')),
          store.delete('b'),
        ])
        expect(await store.load('a')).toEqual({ branch: branchRow('a'), lines: [], entries: [] })
        expect(await code(store.bodies([hashOf('a')]))).toBe('body_missing')
      })
    })

    describe('closing', () => {
      it('waits for the commits that are under way', async () => {
        const order: string[] = []
        const committed = Array.from({ length: 5 }, (_, index) =>
          store
            .commit(changeOf('a', { entries: [entryRow('a', index)] }))
            .then(() => order.push('committed')),
        )
        await store.close()
        order.push('closed')
        await Promise.all(committed)
        expect(order).toEqual([...Array.from({ length: 5 }, () => 'committed'), 'closed'])
      })

      it('is not for ever: a later call goes on with what is there', async () => {
        await store.close()
        await store.commit(smallBranch('a'))
        await store.close()
        await store.close()
        expect((await store.load('a'))?.entries).toHaveLength(1)
      })
    })
  })
}

/** All of a branch that a caller can see but its bodies. */
async function everything(store: BranchStore, branchId: string) {
  const journal: readonly JournalRow[] = await store.journal(branchId)
  return { branch: await store.load(branchId), journal }
}

async function code(attempt: Promise<unknown>): Promise<DogearErrorCode> {
  return (await storeFailure(attempt)).code
}

/** Objects in a tree that somebody could change. */
function unfrozen(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(unfrozen)
  return Object.isFrozen(value) ? inner : [value, ...inner]
}
