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
  lineRow,
  smallBranch,
} from '../store-rows.ts'
import { everything } from './everything.ts'
import type { TestRunner } from './test-runner.ts'

/** Bodies are shared by their hash, and nothing is shared with the caller. */
export function describeBodies(store: () => BranchStore, { describe, expect, it }: TestRunner): void {
  describe('bodies', () => {
    it('come in the order asked, as often as asked', async () => {
      await store().commit(changeOf('a', { bodies: [bodyRow('one'), bodyRow('two')] }))
      const asked = ['two', 'one', 'two']
      expect(await store().bodies(asked.map(hashOf))).toEqual(
        asked.map((name) => ({ role: 'user', content: name })),
      )
    })

    it('are missing by the name of the first that is not there', async () => {
      await store().commit(changeOf('a', { bodies: [bodyRow('one'), { hash: hashOf('broken'), json: '{' }] }))
      const missing = await storeFailure(store().bodies(['broken', 'one', 'lost', 'gone'].map(hashOf)))
      expect(missing).toMatchObject({ code: 'body_missing', fields: { hash: hashOf('lost') } })
      expect(missing.message).toContain(hashOf('lost'))
    })

    it('keep the text that came first', async () => {
      await store().commit(changeOf('a', { bodies: [bodyRow('one')] }))
      await store().commit(changeOf('b', { bodies: [bodyRow('one', 'something else')] }))
      expect(await store().bodies([hashOf('one')])).toEqual([{ role: 'user', content: 'one' }])
    })

    it('must be there, or come, with the entry that names them', async () => {
      const entries = [entryOf('a', 0, 'one')]
      const refused = await storeFailure(store().commit(changeOf('a', { entries })))
      expect(refused).toMatchObject({ code: 'body_missing', fields: { hash: hashOf('one') } })
      expect(await store().branches()).toEqual([])
      await store().commit(changeOf('b', { bodies: [bodyRow('one')] }))
      await store().commit(changeOf('a', { entries }))
      expect((await store().load('a'))?.entries).toEqual(entries)
    })

    it('say nothing of their text where it cannot be read', async () => {
      await store().commit(changeOf('a', { bodies: [{ hash: hashOf('one'), json: '{"content": secret' }] }))
      const damaged = await storeFailure(store().bodies([hashOf('one')]))
      expect(damaged).toMatchObject({ code: 'store_failed', fields: { hash: hashOf('one') } })
      expect(`${damaged.message} ${JSON.stringify(damaged.fields)} ${damaged.cause}`).not.toContain('secret')
    })

    it('may hold any text and any shape', async () => {
      const content = 'line\u2028 quote" \u0000 \ud83d\ude00 e\u0301 לא'
      const lone = '{"content":"\ud83d and \udc00, escaped \\ud800"}'
      await store().commit(
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
      const [text, surrogates, list, nothing, proto] = await store().bodies(
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
      await store().commit(
        changeOf('a', { bodies: [bodyRow('large', { content }), { hash: hashOf('deep'), json: deep }] }),
      )
      const [large, nested] = await store().bodies([hashOf('large'), hashOf('deep')])
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
      const committed = store().commit(
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
      const stored = await everything(store(), 'a')
      expect(stored.branch?.lines[0]?.view).toEqual([0])
      expect(stored.branch?.branch.policy).toEqual({ maxInputTokens: 1 })
      expect(stored.branch?.entries).toEqual([entryRow('a', 0)])
      expect(stored.journal).toEqual([journalRow('a', 0)])
    })

    it('gives back only what nobody can change', async () => {
      await store().commit(smallBranch('a'))
      const given = [
        await store().branches(),
        await store().load('a'),
        await store().journal('a'),
        await store().bodies([hashOf('a')]),
      ]
      expect(given.flatMap(unfrozen)).toEqual([])
    })

    it('refuses rows that cannot be copied, and stores nothing of that change', async () => {
      const policy = { maxInputTokens: () => 1 }
      const refused = await storeFailure(
        store().commit({ ...smallBranch('a'), branch: branchRow('a', { policy }) }),
      )
      expect(refused.code).toBe('store_failed')
      expect(refused.cause).toMatchObject({ name: 'DataCloneError' })
      expect(await store().branches()).toEqual([])
    })
  })
}

/** Objects in a tree that somebody could change. */
function unfrozen(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(unfrozen)
  return Object.isFrozen(value) ? inner : [value, ...inner]
}
