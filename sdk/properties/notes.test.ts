import { describe, expect, it } from 'vitest'
import { openTestBranch, type TestBranch } from '../testing/open-branch.ts'
import { playAtRandom } from '../testing/play-at-random.ts'
import { type Random, seededRandom } from '../testing/random.ts'
import { randomConversation } from '../testing/random-conversation.ts'
import { randomSetting } from '../testing/random-setting.ts'
import { readWhole } from '../testing/read-whole.ts'
import { scriptTokenCounter } from '../testing/script-token-counter.ts'
import { seeds } from '../testing/seeds.ts'
import { loadTokenizer } from '../tokenizer.ts'

/** What the notes of a request list, whatever was folded, restored, pinned and folded again. */

const counter = await scriptTokenCounter()
const { countRequest } = await loadTokenizer()

/** A line of a note that lists one call: the number under which it is read, its name, and what came of it. */
const CALL_LINE = /^#(\d+) (\w+)\(.*\) -> (?:stored output )?(\d+ characters|no result)$/gm
/** Says that a note lists more than it shows line by line. */
const MORE = /\d+ earlier calls? not listed/

async function expectEachCallOnce({ branch }: TestBranch): Promise<void> {
  const { messages } = await branch.getMessages({ scope: 'all' })
  const lines: { readonly index: number; readonly name: string; readonly answered: boolean }[] = []
  for (const { index, state } of messages) {
    if (state !== 'note') continue
    const text = await readWhole(branch, index)
    if (MORE.test(text)) return
    expect(text).not.toMatch(/^\[[^\n]*: 0 earlier tool calls/)
    for (const [, number, name = '', came] of text.matchAll(CALL_LINE))
      lines.push({ index: Number(number), name, answered: came !== 'no result' })
  }
  // A reading is listed under the number of what it read, which may stand in the view, and be read again.
  const listed = lines.filter(({ name }) => name !== 'context').map(({ index }) => index)
  expect(listed).toEqual([...new Set(listed)])
  for (const index of listed) expect(messages[index]?.state, `entry ${index}`).toBe('out')
  const folded = messages.filter(({ kind, state, foldId }) => kind === 'result' && state === 'out' && foldId)
  expect(lines.filter(({ answered }) => answered)).toHaveLength(folded.length)
}

async function meddle(test: TestBranch, random: Random): Promise<void> {
  const { branch } = test
  const { messages, total } = await branch.getMessages({ scope: 'all' })
  const notes = messages.filter(({ kind }) => kind === 'note').map(({ index }) => index)
  const note = notes[random.integer(0, notes.length - 1)] ?? 0
  const start = random.integer(0, total - 1)
  const range = { start, end: start + random.integer(1, 12) }
  const { folds } = await branch.journal()
  await random.pick<() => Promise<unknown>>([
    () => branch.restore(range),
    () => branch.restore(range),
    () => branch.restore({ start: note }),
    () => branch.restore({ start: note }),
    () => branch.restoreFold(folds[random.integer(0, folds.length - 1)]?.id ?? ''),
    () => branch.compact({ ...range, summary: 'In short.' }),
    () => branch.evict(range),
    () => branch.evict({ start: note }),
    () => branch.pin(note),
    () => branch.unpin(note),
    () => branch.pin(start),
    () => branch.unpin(start),
  ])()
}

describe('the notes of a request', () => {
  it.each(seeds(30))(
    '[R115, R117, R122, R123] list each folded call once, and none that stands in the view (seed %i)',
    async (seed) => {
      const random = seededRandom(seed)
      const { conversation } = randomConversation(seed)
      const setting = randomSetting(random, countRequest(conversation.request).total)
      const test = await openTestBranch({ counter, ...setting })
      for await (const _ of playAtRandom(test, conversation, random)) {
        await expectEachCallOnce(test)
        for (let times = random.integer(0, 3); times > 0; times--) {
          await meddle(test, random)
          await expectEachCallOnce(test)
        }
      }
    },
    60_000,
  )
})
