import { afterEach, describe, expect, it } from 'vitest'
import { createDogear, type Dogear, type DogearOptions } from './dogear.ts'
import type { DogearEvent } from './events.ts'
import type { BranchStore } from './ports.ts'
import { memoryStore } from './stores/memory.ts'
import { makeConversation, requestAt } from './testing/conversation.ts'

const conversation = makeConversation({ seed: 61, format: 'anthropic', rounds: 12 })
const opened: Dogear[] = []

function open(options: DogearOptions = {}): Dogear {
  const dogear = createDogear({ store: memoryStore(), ...options })
  opened.push(dogear)
  return dogear
}

/** A store that one page closes and the next opens again, as the browser's is. */
function surviving(store: BranchStore): BranchStore {
  return { ...store, close: async () => undefined }
}

afterEach(async () => {
  for (const dogear of opened.splice(0)) await dogear.close()
})

describe('createDogear', () => {
  it('measures and folds a conversation from end to end with the real tokenizer', async () => {
    const dogear = open({ policy: { maxInputTokens: 6000 } })
    const branch = await dogear.branch('chat')
    for (const length of conversation.requests) {
      const prepared = await branch.prepare(requestAt(conversation, length))
      expect(prepared.decision.after).toBeLessThanOrEqual(6000)
      await prepared.settle({
        usage: { input_tokens: Math.ceil(prepared.decision.counted * 1.1), output_tokens: 5 },
      })
    }
    expect((await branch.journal()).folds.some(({ outcome }) => outcome === 'landed')).toBe(true)
  })

  it('waits for no tokenizer while the bytes alone are under the fold line', async () => {
    const branch = await open({ policy: { maxInputTokens: 100_000 } }).branch('chat')
    const { decision } = await branch.prepare({ model: 'm', messages: [{ role: 'user', content: 'Hello' }] })
    expect(decision).toMatchObject({ method: 'bound', action: 'pass' })
  })

  it('gives each name one branch, and keeps branches apart', async () => {
    const dogear = open()
    const [first, again, other] = await Promise.all([
      dogear.branch('a'),
      dogear.branch('a'),
      dogear.branch('b'),
    ])
    expect(again).toBe(first)
    await first.prepare(requestAt(conversation, 1))
    expect((await first.status()).entries).toBe(2)
    expect((await other.status()).entries).toBe(0)
    expect((await dogear.branches()).map(({ id }) => id)).toEqual(['a'])
  })

  it('[R109] refuses a live branch with another policy, and takes one that agrees', async () => {
    const dogear = open()
    const branch = await dogear.branch('a', { policy: { maxInputTokens: 5000, contextFoldAt: 0.7 } })
    await expect(dogear.branch('a', { policy: { maxInputTokens: 5001 } })).rejects.toMatchObject({
      code: 'policy_disagrees',
    })
    expect(await dogear.branch('a', { policy: { contextFoldAt: 0.7, maxInputTokens: 5000 } })).toBe(branch)
    expect(await dogear.branch('a')).toBe(branch)
    const [first, second] = await Promise.allSettled([
      dogear.branch('b', { policy: { maxInputTokens: 1 } }),
      dogear.branch('b', { policy: { maxInputTokens: 2 } }),
    ])
    expect([first?.status, second?.status].sort()).toEqual(['fulfilled', 'rejected'])
    expect(Object.isFrozen(branch.policy)).toBe(true)
  })

  it('[R7, R238] refuses a bad policy before anything is opened', async () => {
    expect(() => createDogear({ policy: { maxInputTokens: 0 } })).toThrow(
      expect.objectContaining({ code: 'invalid_policy' }),
    )
    await expect(open().branch('a', { policy: { contextFoldAt: 2 } })).rejects.toMatchObject({
      code: 'invalid_policy',
    })
    await expect(open().branch('')).rejects.toMatchObject({ code: 'invalid_argument' })
  })

  it('[R20, R244, R245] takes the stored policy up again, or the whole of a new one', async () => {
    const store = surviving(memoryStore())
    const first = open({ store })
    await (await first.branch('a', { policy: { maxInputTokens: 5000, promptCaching: true } })).prepare(
      requestAt(conversation, 1),
    )
    await first.close()
    const second = open({ store, policy: { maxInputTokens: 9000 } })
    expect((await second.branch('a')).policy).toEqual({ maxInputTokens: 5000, promptCaching: true })
    await second.close()
    const third = open({ store })
    const branch = await third.branch('a', { policy: { contextFoldAt: 0.9 } })
    expect(branch.policy).toEqual({ contextFoldAt: 0.9, promptCaching: true })
  })

  it('opens again a branch of which only the policy was ever set', async () => {
    const store = surviving(memoryStore())
    const first = open({ store })
    await (await first.branch('a')).setPolicy({ maxInputTokens: 7000 })
    await first.close()
    const branch = await open({ store }).branch('a')
    expect(branch.policy).toEqual({ maxInputTokens: 7000 })
    expect((await branch.prepare(requestAt(conversation, 1))).decision.sent).toBe(true)
  })

  it('takes the same policy again, and needs no owner to be called on', async () => {
    const store = surviving(memoryStore())
    const first = open({ store })
    await (await first.branch('a', { policy: { promptCaching: true } })).prepare(requestAt(conversation, 1))
    await first.close()
    const { branch } = open({ store })
    const policy = { maxInputTokens: 5000 }
    const [one, two] = await Promise.all([branch('a', { policy }), branch('a', { policy })])
    expect(two).toBe(one)
    expect(await branch('a', { policy })).toBe(one)
  })

  it('numbers the events of a branch, and calls nobody after the unsubscribe', async () => {
    const dogear = open()
    const heard: DogearEvent[] = []
    const off = dogear.subscribe((event) => heard.push(event))
    const branch = await dogear.branch('a')
    await branch.prepare(requestAt(conversation, 1))
    const own = heard.filter(({ branchId }) => branchId === 'a')
    expect(own.map(({ sequence }) => sequence)).toEqual(own.map((_, position) => position))
    expect(own.map(({ type }) => type)).toContain('request-decided')
    off()
    const before = heard.length
    await branch.prepare(requestAt(conversation, 2))
    expect(heard).toHaveLength(before)
  })

  it('tells on a branch what it tells of that branch, and calls nobody there after the unsubscribe', async () => {
    const dogear = open()
    const [branch, other] = await Promise.all([dogear.branch('a'), dogear.branch('b')])
    const everywhere: DogearEvent[] = []
    const here: DogearEvent[] = []
    dogear.subscribe((event) => everywhere.push(event))
    const off = branch.subscribe((event) => here.push(event))
    await branch.prepare(requestAt(conversation, 1))
    await other.prepare(requestAt(conversation, 1))
    expect(here.map(({ type }) => type)).toContain('request-decided')
    expect(here).toEqual(everywhere.filter(({ branchId }) => branchId === 'a'))
    off()
    const before = here.length
    await branch.prepare(requestAt(conversation, 2))
    expect(here).toHaveLength(before)
  })

  it('holds nothing of a branch that was deleted', async () => {
    const dogear = open()
    const branch = await dogear.branch('a')
    await branch.prepare(requestAt(conversation, 1))
    await branch.delete()
    expect(await dogear.branches()).toEqual([])
    await expect(branch.prepare(requestAt(conversation, 1))).rejects.toMatchObject({ code: 'branch_deleted' })
    expect((await (await dogear.branch('a')).status()).entries).toBe(0)
  })

  it('opens nothing after it was closed', async () => {
    const dogear = open()
    const branch = await dogear.branch('a')
    await dogear.close()
    await expect(dogear.branch('a')).rejects.toMatchObject({ code: 'branch_closed' })
    await expect(dogear.branches()).rejects.toMatchObject({ code: 'branch_closed' })
    await expect(branch.status()).rejects.toMatchObject({ code: 'branch_closed' })
  })

  it('goes on from memory when the store fails, says so once, and stores all of it later', async () => {
    const store = memoryStore()
    let failing = true
    const flaky: BranchStore = {
      ...store,
      commit: async (change) => {
        if (failing) throw new Error('disk full')
        await store.commit(change)
      },
    }
    const dogear = open({ store: flaky })
    const heard: string[] = []
    dogear.subscribe(({ type }) => heard.push(type))
    const branch = await dogear.branch('a')
    for (const length of conversation.requests.slice(0, 3))
      await branch.prepare(requestAt(conversation, length))
    expect(heard.filter((type) => type === 'store-failed')).toHaveLength(1)
    expect((await branch.readResult({ index: 1 })).text).toContain('Task 1')
    failing = false
    await branch.prepare(requestAt(conversation, conversation.requests[3] ?? 0))
    const stored = await store.load('a')
    expect(stored?.entries).toHaveLength((await branch.status()).entries)
    expect((await branch.journal()).decisions).toHaveLength(4)
  })
})

describe('a setting of the policy that stands beside it', () => {
  it('is refused, for it would not be in force', async () => {
    const options: object = { maxInputTokens: 100 }
    expect(() => createDogear(options)).toThrow(
      'maxInputTokens must stand in the policy, as in createDogear({ policy: { maxInputTokens: … } }); nothing was changed',
    )
    const dogear = createDogear({ store: memoryStore() })
    await expect(dogear.branch('chat', options)).rejects.toMatchObject({ code: 'invalid_policy' })
    await dogear.close()
  })
})
