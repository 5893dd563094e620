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
import type { SummaryJob } from '../plan.ts'
import { type Line, originalOf } from '../record.ts'
import { restoreEntries } from '../recover.ts'
import { summaryText } from '../summary-request.ts'
import { clip } from './clip.ts'
import { prune } from './prune.ts'
import { wasRead } from './stage.ts'
import { summary } from './summary.ts'

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

/** Rules that a request breaks which the one that came in kept. */
function newFaults({ wire }: (typeof cases)[number], bench: RepairBench, after: Line): readonly string[] {
  const rulesOf = (line: Line) => wire.lint(bench.sent(line)).map(({ rule }) => rule)
  const known = new Set(rulesOf(bench.line))
  return rulesOf(after).filter((rule) => !known.has(rule))
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
    expect(newFaults(made, bench, after)).toEqual([])

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

describe('a summary in any conversation', () => {
  it.each(cases)('[R349, R350, R357, R364] holds in $name, seed $seed', (made) => {
    const bench = benchOf(made)
    const { line } = bench
    const pruned = made.seed % 2 === 0 ? landed(line, bench.propose(prune, line)) : line
    const context = bench.contextOf(pruned)
    const taken = summary.takes(context)
    const asked: SummaryJob[] = []
    const proposal = bench.propose(summary, pruned, {
      summarize: (job) => {
        asked.push(job)
        return { type: 'written', text: 'They read.', source: 'model', usage: null }
      },
    })
    expect(proposal === null).toBe(taken.size === 0)
    if (proposal === null) return
    const after = landed(pruned, proposal)
    expect(newFaults(made, bench, after)).toEqual([])
    expect(asked.length).toBeLessThanOrEqual(1)

    // What stays is in its order and says what it said, and each of it stands once.
    const staying = after.view.filter((index) => !after.record[index]?.note)
    expect(staying).toEqual(pruned.view.filter((index) => !taken.has(index)))
    for (const index of taken) {
      expect(wasRead(pruned, index)).toBe(true)
      expect(context.keep.has(index)).toBe(false)
    }
    const texts = new Map(pruned.view.map((index, place) => [index, bench.shown(pruned)[place]?.text]))
    expect(bench.shown(after).map(({ text }) => text)).toEqual(staying.map((index) => texts.get(index)))

    // A round leaves whole, the oldest that may leave among them, and the note stands for all of it.
    const rounds = (indexes: Iterable<number>) =>
      new Set([...indexes].flatMap((index) => after.record[index]?.round ?? []).filter((round) => round >= 0))
    const left = rounds(taken)
    expect([...rounds(staying)].filter((round) => left.has(round))).toEqual([])
    const members = after.record.at(-1)?.note?.members
    expect(members).toEqual([...taken].map((index) => originalOf(pruned.record, index)?.index).sort(byNumber))
    const first = after.view.findIndex((index) => after.record[index]?.note)
    expect(after.record[after.view[first - 1] ?? -1]?.index ?? -1).toBeLessThan(members?.[0] ?? -1)
    // No body of a result that is not short goes to its writer.
    const results = line.record.filter(({ kind, chars }) => kind === 'result' && chars > 1000)
    for (const { source } of results) {
      const known = context.sources.get(source?.first ?? -1)?.known
      const draft = known?.reading.drafts[source?.draft ?? -1]
      if (draft && !draft.failed)
        expect(asked.map(summaryText).join()).not.toContain(draft.text.slice(0, 400))
    }
  })
})

function byNumber(left = 0, right = 0): number {
  return left - right
}

/** Has a cut counted by the whole request. */
// biome-ignore lint/correctness/useYield: nothing is asked for.
function* wholeOnly() {
  return null
}
