import { describe, expect, it } from 'vitest'
import type { Branch } from '../branch.ts'
import { createDogear } from '../dogear.ts'
import type { JsonObject } from '../engine/json.ts'
import { DogearError, StoreError } from '../errors.ts'
import type { DogearEvent } from '../events.ts'
import type { BranchStore } from '../ports.ts'
import { numberedText, toolChat } from './tool-chat.ts'

const failures: Readonly<Record<string, () => unknown>> = {
  'a full disk': () => new StoreError({ code: 'store_full', message: 'the disk is full' }),
  'a transaction that the browser ended': () => new DOMException('ended', 'AbortError'),
  'an error that nobody knows': () => new RangeError('of the browser'),
  'what is no error': () => 'no',
}

const chatOf = (rounds: number): JsonObject =>
  toolChat(
    Array.from({ length: rounds }, (_, round) => ({ results: [numberedText(1500, `round ${round}, line`)] })),
  )

interface Bench {
  readonly dogear: ReturnType<typeof createDogear>
  readonly branch: Branch
  readonly fold: string
}

/** All that writes to the store, each over a branch that was folded. */
const writes: Readonly<Record<string, (bench: Bench) => Promise<unknown>>> = {
  prepare: ({ branch }) => branch.prepare(chatOf(9)),
  'prepare and settle': async ({ branch }) =>
    (await branch.prepare(chatOf(9))).settle({ usage: { prompt_tokens: 3000 } }),
  'settle by an error': async ({ branch }) =>
    (await branch.prepare(chatOf(9))).settle({ error: new Error('down') }),
  'the decision on a list of another chat': ({ branch }) =>
    branch.prepare({ model: 'm', messages: [{ role: 'user', content: 'A title, please.' }] }),
  setPolicy: ({ branch }) => branch.setPolicy({ maxInputTokens: 9000, recovery: 'user' }),
  pin: ({ branch }) => branch.pin(4),
  unpin: ({ branch }) => branch.unpin(4),
  evict: ({ branch }) => branch.evict({ start: 2, end: 5 }),
  evictActionResults: ({ branch }) => branch.evictActionResults({ keep: 1 }),
  compact: ({ branch }) => branch.compact({ start: 1, end: 6, summary: 'What was read.' }),
  restore: ({ branch }) => branch.restore({ start: 3 }),
  restoreFold: ({ branch, fold }) => branch.restoreFold(fold),
  readResult: ({ branch }) => branch.readResult({ index: 3 }),
  clearRefusal: ({ branch }) => branch.clearRefusal(),
  compactNow: ({ branch }) => branch.compactNow(),
  clone: ({ branch }) => branch.clone('clone'),
  import: async ({ dogear }) => dogear.import(await dogear.export()),
}

/** Runs every write once while the store fails, and goes on. `makeStore` must give an empty store each time. */
export function describeWriteFailures(name: string, makeStore: () => BranchStore): void {
  describe.each(Object.keys(failures))(`%s, on ${name}`, (failure) => {
    it.each(Object.keys(writes))('loses nothing of %s, and the chat goes on', async (write) => {
      const store = makeStore()
      let isFailing = false
      const failing: BranchStore = {
        ...store,
        commit: (...changes) =>
          isFailing ? Promise.reject(failures[failure]?.()) : store.commit(...changes),
      }
      const events: DogearEvent[] = []
      const bench = await benchOver(failing)
      bench.dogear.subscribe((event) => events.push(event))
      const before = await contents(store)

      isFailing = true
      const outcome = await writes[write]?.(bench).catch((error: unknown) => error)
      // Only what makes another branch is refused: it is not there.
      if (outcome instanceof Error)
        expect(outcome).toBeInstanceOf(write === 'clone' || write === 'import' ? Error : DogearError)
      expect(await contents(store)).toEqual(before)
      const held = await bench.branch.getMessages({ scope: 'all' })
      const journal = await bench.branch.journal()
      const told = events.filter(({ type }) => type === 'store-failed')
      expect(told.length).toBeLessThanOrEqual(1)

      isFailing = false
      const { settle } = await bench.branch.prepare(chatOf(10))
      await settle({ usage: null })
      await bench.dogear.close()
      expect((await store.branches()).map(({ id }) => id)).toEqual(['chat'])

      const reopened = createDogear({ store, tokenizer: { engine: 'script' } })
      const branch = await reopened.branch('chat')
      expect((await branch.verify()).ok).toBe(true)
      const kept = await branch.getMessages({ scope: 'all' })
      const withoutState = ({ index, kind, preview }: (typeof kept.messages)[number]) => ({
        index,
        kind,
        preview,
      })
      expect(kept.messages.slice(0, held.messages.length).map(withoutState)).toEqual(
        held.messages.map(withoutState),
      )
      const now = await branch.journal()
      expect(now.decisions.slice(0, journal.decisions.length)).toEqual(journal.decisions)
      expect(now.settlements.slice(0, journal.settlements.length)).toEqual(journal.settlements)
      expect(now.folds.slice(0, journal.folds.length)).toEqual(journal.folds)
      await reopened.close()
    })
  })
}

async function benchOver(store: BranchStore): Promise<Bench> {
  const dogear = createDogear({
    store,
    policy: { maxInputTokens: 4000, recovery: 'user' },
    tokenizer: { engine: 'script' },
    summarize: async () => 'What was read.',
  })
  await dogear.warmUp()
  const branch = await dogear.branch('chat')
  for (let rounds = 1; rounds <= 8; rounds++)
    await (await branch.prepare(chatOf(rounds))).settle({ usage: null })
  const { folds } = await branch.journal()
  const fold = folds.find(({ outcome }) => outcome === 'landed')
  if (!fold) throw new TypeError('a branch that was not folded')
  return { dogear, branch, fold: fold.id }
}

async function contents(store: BranchStore) {
  const ids = (await store.branches()).map(({ id }) => id)
  return Promise.all(ids.map(async (id) => [await store.load(id), await store.journal(id)]))
}
