import { describe, expect, it } from 'vitest'
import { asAiSdk } from '../../testing/as-ai-sdk.ts'
import { asGemini } from '../../testing/as-gemini.ts'
import { asResponses } from '../../testing/as-responses.ts'
import { landed } from '../../testing/clip-context.ts'
import { requestAt } from '../../testing/conversation.ts'
import { seededRandom } from '../../testing/random.ts'
import { randomConversation } from '../../testing/random-conversation.ts'
import { type RepairBench, repairBench } from '../../testing/repair-bench.ts'
import { seeds } from '../../testing/seeds.ts'
import { aiSdk } from '../../wire/ai-sdk/index.ts'
import { anthropic } from '../../wire/anthropic/index.ts'
import { gemini } from '../../wire/gemini/index.ts'
import { openAiChat } from '../../wire/openai-chat/index.ts'
import { openAiResponses } from '../../wire/openai-responses/index.ts'
import type { EntryDraft } from '../format.ts'
import type { JsonObject } from '../json.ts'
import { originalOf } from '../record.ts'
import { restoreEntries } from '../recover.ts'
import { clip } from './clip.ts'
import { prune } from './prune.ts'
import { wasRead } from './stage.ts'

const same = (request: JsonObject): JsonObject => request

const formats = [
  { wire: openAiChat, from: 'openai-chat', written: same, shapes: 'varied' },
  { wire: anthropic, from: 'anthropic', written: same, shapes: 'varied' },
  { wire: openAiResponses, from: 'openai-chat', written: asResponses, shapes: 'plain' },
  {
    wire: gemini,
    from: 'openai-chat',
    written: (chat: JsonObject) => asGemini(chat, 'both'),
    shapes: 'plain',
  },
  { wire: aiSdk, from: 'openai-chat', written: asAiSdk, shapes: 'plain' },
] as const

const cases = formats.flatMap((format) =>
  seeds(8).map((seed) => ({ ...format, seed, name: format.wire.format })),
)

/** A conversation cut off at one of its requests, and a stage's context for it. */
function benchOf({ seed, wire, from, written, shapes }: (typeof cases)[number]): RepairBench {
  const random = seededRandom(seed)
  const { conversation } = randomConversation(seed, { format: from, shapes, rounds: random.integer(2, 12) })
  const { requests, request } = conversation
  const length = requests[random.integer(0, requests.length - 1)]
  const chat = length === undefined ? request : requestAt(conversation, length)
  const bound = random.pick([undefined, undefined, 1024, 4000])
  return repairBench(written(chat), {
    wire,
    contextTool: random.pick(['context', null]),
    ...(bound === undefined ? {} : { maxChars: bound }),
  })
}

const callIdOf = ({ kind, name, callId }: EntryDraft) => [kind, name, callId]

describe('clearing results in any conversation', () => {
  it.each(cases)('[R333, R334, R336] holds in $name, seed $seed', (made) => {
    const bench = benchOf(made)
    const { line } = bench
    // Some were shortened before.
    const shortened =
      made.seed % 2 === 0
        ? landed(line, bench.propose(clip, line, { changed: { measureChange: wholeOnly } }))
        : line
    const proposal = bench.propose(prune, shortened)
    if (proposal === null) return
    const after = landed(shortened, proposal)
    const touched = new Set(proposal.cleared?.map(({ index }) => index))

    expect(bench.sizeOf(after).counted).toBeLessThan(bench.sizeOf(shortened).counted)
    const faults = (request: JsonObject) => made.wire.lint(request).map(({ rule, path }) => `${rule} ${path}`)
    expect(faults(bench.sent(line))).toEqual(expect.arrayContaining(faults(bench.sent(after))))

    // Nothing moves, and nothing but the cleared results says anything else.
    const [before, now] = [bench.shown(shortened), bench.shown(after)]
    expect(now.map(callIdOf)).toEqual(before.map(callIdOf))
    for (const [place, shown] of after.view.entries()) {
      const original = originalOf(after.record, shown)
      if (original === undefined) throw new Error('an entry of no original')
      if (!touched.has(original.index)) expect(now[place]).toEqual(before[place])
      else {
        expect(now[place]?.text).toContain(`[Older tool result cleared: ${original.chars} characters`)
        expect(original.kind).toBe('result')
        expect(before[place]?.failed).toBeUndefined()
        expect(wasRead(shortened, shown) || wasRead(shortened, original.index)).toBe(true)
        expect(original.index).toBeLessThan(proposal.prunedBefore ?? -1)
      }
    }

    expect(bench.propose(prune, shortened)).toEqual(proposal)
    // A later one may find a shorter tail, but what is cleared is so for ever.
    const later = bench.propose(prune, after)
    expect((later?.cleared ?? []).filter(({ index }) => touched.has(index))).toEqual([])
    const last = bench.shown(landed(after, later))
    for (const [place, shown] of after.view.entries())
      if (after.record[shown]?.copy?.cleared) expect(last[place]).toEqual(now[place])
    if (shortened !== line) return
    const restored = restoreEntries(after, [...touched])
    if (restored.type === 'nothing') throw new Error(restored.reason)
    expect(JSON.stringify(bench.sent(restored.line))).toBe(JSON.stringify(bench.sent(line)))
  })

  it('clears something in every format, and more than now and then', () => {
    const clearing = cases.filter((made) => {
      const bench = benchOf(made)
      return bench.propose(prune, bench.line) !== null
    })
    expect(new Set(clearing.map(({ name }) => name)).size).toBe(formats.length)
    expect(clearing.length).toBeGreaterThan(cases.length / 3)
  })
})

/** Has a cut counted by the whole request. */
// biome-ignore lint/correctness/useYield: nothing is asked for.
function* wholeOnly() {
  return null
}
