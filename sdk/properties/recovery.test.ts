import { describe, expect, it } from 'vitest'
import { isObject } from '../engine/json.ts'
import type { BranchStore } from '../ports.ts'
import { memoryStore } from '../stores/memory.ts'
import { requestAt } from '../testing/conversation.ts'
import { listedTexts } from '../testing/listed-texts.ts'
import { openTestBranch } from '../testing/open-branch.ts'
import { playAtRandom, playRequest } from '../testing/play-at-random.ts'
import { seededRandom } from '../testing/random.ts'
import { randomConversation } from '../testing/random-conversation.ts'
import { randomSetting } from '../testing/random-setting.ts'
import { readWhole } from '../testing/read-whole.ts'
import { scriptTokenCounter } from '../testing/script-token-counter.ts'
import { seeds } from '../testing/seeds.ts'
import { loadTokenizer } from '../tokenizer.ts'

/** That nothing is ever lost: what went can be read, can come back, and nothing else was touched. */

const counter = await scriptTokenCounter()
const { countRequest } = await loadTokenizer()

async function everythingOf(store: BranchStore, id: string): Promise<string> {
  const stored = await store.load(id)
  const hashes = stored?.entries.flatMap((entry) => entry.source?.hash ?? []) ?? []
  return JSON.stringify([stored, await store.bodies([...new Set(hashes)]), await store.journal(id)])
}

describe('what was folded', () => {
  it.each(seeds(25))(
    '[R67, R97, R118, R209, R211, R222] can be read whole, page by page, and comes back byte for byte (seed %i)',
    async (seed) => {
      const random = seededRandom(seed)
      const { conversation } = randomConversation(seed)
      const setting = randomSetting(random, countRequest(conversation.request).total)
      const test = await openTestBranch({ counter, ...setting })
      for await (const _ of playAtRandom(test, conversation, random));
      const { messages } = await test.branch.getMessages({ scope: 'all' })
      const list = messages.filter(({ kind }) => kind !== 'note' && kind !== 'copy' && kind !== 'system')
      const originals = listedTexts(conversation.request)
      expect(list).toHaveLength(originals.length)
      const limit = random.pick([16_000, 777])
      for (const [position, { index }] of list.entries())
        expect(await readWhole(test.branch, index, limit)).toBe(originals[position]?.text)

      await test.branch.setPolicy({ maxInputTokens: 'none' })
      await test.branch.restore({ start: 0, end: messages.length })
      const back = await playRequest(test, conversation.request)
      expect(JSON.stringify(back.prepared?.request)).toBe(JSON.stringify(conversation.request))
      expect(back.decision.action).toBe('pass')
    },
    60_000,
  )

  it.each(seeds(15))(
    '[R87, R90, R149] is not folded again before the model has read what was brought back (seed %i)',
    async (seed) => {
      const random = seededRandom(seed)
      const { conversation } = randomConversation(seed)
      const setting = randomSetting(random, countRequest(conversation.request).total)
      const test = await openTestBranch({ counter, ...setting })
      let restored: readonly number[] = []
      for await (const { prepared } of playAtRandom(test, conversation, random)) {
        const { messages } = await test.branch.getMessages({ scope: 'all' })
        if (prepared !== null) {
          for (const index of restored) expect(messages[index]?.state, `entry ${index}`).toBe('verbatim')
        }
        restored = []
        const out = messages.filter(({ state, kind }) => state === 'out' && kind === 'result')
        const wanted = out[random.integer(0, Math.max(0, out.length - 1))]
        if (wanted === undefined || !random.chance(0.5)) continue
        await prepared?.settle({ usage: null })
        const reply = await test.branch.restore({ start: wanted.index })
        if (reply.success) restored = reply.restored
      }
    },
    60_000,
  )

  it.each(seeds(10))('[R68, R248] leaves a sibling in the same store untouched (seed %i)', async (seed) => {
    const random = seededRandom(seed)
    const { conversation } = randomConversation(seed)
    const setting = randomSetting(random, countRequest(conversation.request).total)
    const store = memoryStore()
    const sibling = await openTestBranch({ id: 'sibling', counter, store, ...setting })
    const half = conversation.requests.slice(0, Math.ceil(conversation.requests.length / 2))
    for (const length of half) {
      const { prepared } = await playRequest(sibling, requestAt(conversation, length))
      await prepared?.settle({ usage: null })
    }
    const before = await everythingOf(store, 'sibling')
    const test = await openTestBranch({ counter, store, ...setting })
    for await (const _ of playAtRandom(test, conversation, random));
    await test.branch.restore({ start: 0, end: 1000 })
    await test.branch.delete()
    expect(isObject(await store.load('chat'))).toBe(false)
    expect(await everythingOf(store, 'sibling')).toBe(before)
  })
})
