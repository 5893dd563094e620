import { describe, expect, it, vi } from 'vitest'
import { landed } from '../../testing/clip-context.ts'
import { withCopy } from '../../testing/made-entries.ts'
import { type RepairBench, repairBench } from '../../testing/repair-bench.ts'
import { ask, call, say } from '../../testing/stage-context.ts'
import { openAiChat } from '../../wire/openai-chat/index.ts'
import type { JsonObject } from '../json.ts'
import { SUMMARY_FRAME } from '../note-text.ts'
import type { SummaryJob, SummaryOutcome } from '../plan.ts'
import type { Line } from '../record.ts'
import { summaryText } from '../summary-request.ts'
import { prune } from './prune.ts'
import type { Proposal } from './stage.ts'
import { summary } from './summary.ts'

const requestOf = (...messages: readonly object[]) =>
  ({
    model: 'm',
    messages,
    tools: [{ type: 'function', function: { name: 'read' } }],
  }) as unknown as JsonObject

const long = (name: string, length = 4000) => `${name} `.repeat(length).slice(0, length)

const read = (id: string, result: string) =>
  call({ id, name: 'read', args: { path: `src/${id}.ts` }, result })

/** A talk of pairs of 2,000 characters, and a new question. */
const talk = (pairs: number, length = 1000): JsonObject =>
  requestOf(
    ...Array.from({ length: pairs }, (_, pair) => [
      ask(long(`ask${pair}`, length)),
      say(long(`say${pair}`, length)),
    ]).flat(),
    ask('And now?'),
  )

const written: SummaryOutcome = { type: 'written', text: 'They read.', source: 'model', usage: null }

function summarised(
  bench: RepairBench,
  line: Line = bench.line,
  changed = {},
): { readonly proposal: Proposal | null; readonly job: SummaryJob | undefined; readonly after: Line } {
  const summarize = vi.fn((_: SummaryJob) => written)
  const proposal = bench.propose(summary, line, { summarize, changed })
  expect(summarize.mock.calls.length).toBeLessThanOrEqual(1)
  return { proposal, job: summarize.mock.calls[0]?.[0], after: landed(line, proposal) }
}

const rolesOf = (request: JsonObject) => (request.messages as JsonObject[]).map(({ role }) => role)

describe('a summary in the place of what is before the newest work', () => {
  it('[R347, R348] stands there once, as a note, and none of the history is left', () => {
    const bench = repairBench(talk(12))
    const { proposal, after } = summarised(bench)
    const sent = bench.sent(after)
    const text = JSON.stringify(sent)
    // The head, the note, two pairs, the pair whose answer was not read yet, and the question.
    expect(rolesOf(sent).join(' ')).toBe(
      ['user', 'user', ...Array(3).fill('user assistant'), 'user'].join(' '),
    )
    expect(text.split('They read.')).toHaveLength(2)
    expect(text).toContain(`${SUMMARY_FRAME}\\nThey read.`)
    expect(text).not.toContain('say0')
    expect(proposal?.summary).toEqual(written)
    expect(openAiChat.lint(sent)).toEqual([])
  })

  it('[R365] says with which entry what stays begins', () => {
    const bench = repairBench(talk(12))
    const { proposal, after } = summarised(bench)
    const note = after.view.findIndex((index) => after.record[index]?.note)
    expect(proposal?.compactedBefore).toBe(after.view[note + 1])
    expect(bench.line.record[proposal?.compactedBefore ?? -1]?.kind).toBe('instruction')
  })

  it('[R349, R350] leaves the current fan beside its calls, and each result once, to the byte', () => {
    const bench = repairBench(
      requestOf(
        ask('Go.'),
        ...['a', 'b', 'c'].flatMap((name) => read(name, long(name))),
        ...call(
          { id: 'd', name: 'read', result: long('d', 400_000) },
          { id: 'e', name: 'read', result: long('e') },
        ),
      ),
    )
    const { after, proposal } = summarised(bench)
    const messages = bench.sent(after).messages as JsonObject[]
    expect(rolesOf(bench.sent(after))).toEqual(['user', 'user', 'assistant', 'tool', 'tool'])
    expect(messages.slice(-3)).toEqual((bench.sent(bench.line).messages as JsonObject[]).slice(-3))
    expect(proposal?.compactedBefore).toBe(10)
    expect(openAiChat.lint(bench.sent(after))).toEqual([])
  })

  it('[R349] leaves head, task, and what somebody keeps with its round', () => {
    const bench = repairBench(
      requestOf(
        ask('Head.'),
        say('Yes.'),
        ask('Task.'),
        ...['a', 'b', 'c', 'd'].flatMap((name) => read(name, long(name))),
      ),
    )
    const kept = (line: Line) => {
      const { after } = summarised(bench, line)
      return after.view.filter((index) => !after.record[index]?.note)
    }
    expect(kept(bench.line)).toEqual([0, 2, 12, 13, 14])
    expect(kept({ ...bench.line, pinned: new Set([5]) })).toEqual([0, 2, 3, 4, 5, 12, 13, 14])
  })

  it('[R364] has nothing to take where there is no history, nor where a note is all of it', () => {
    const first = repairBench(requestOf(ask('Go.'), ...read('a', long('a', 400_000))))
    expect(summary.takes(first.contextOf(first.line)).size).toBe(0)
    expect(summarised(first).job).toBeUndefined()
    const alone = repairBench(requestOf(ask(long('a', 400_000))))
    expect(summarised(alone).proposal).toBeNull()
    const bench = repairBench(requestOf(ask('Head.'), say(long('b')), ask('Go.')))
    const { after } = summarised(bench)
    expect(after.view).toHaveLength(3)
    expect(summarised(bench, after).proposal).toBeNull()
  })

  it('[R358] takes the earlier note over, and shows it to the writer', () => {
    const bench = repairBench(talk(12))
    const { after } = summarised(bench)
    const delivered = new Set([...bench.line.delivered, ...after.view])
    const again = summarised(bench, { ...after, delivered })
    expect(again.job?.history).toMatch(/^Record of what came before:\nThey read\.\n\n/)
    expect(again.after.view.filter((index) => again.after.record[index]?.note)).toHaveLength(1)
    const notes = again.proposal?.added.map(({ note }) => note?.members)
    expect(notes?.[0]).toContain(1)
  })
})

describe('what its writer reads', () => {
  it('[R351, R352, R358, R395] is the history, then the newest work whole under its own header, results as pointers', () => {
    const bench = repairBench(
      requestOf(
        ask('Go.'),
        ...read('a', long('a', 40_000)),
        ...read('b', long('b', 3000)),
        ...read('c', long('c', 3000)),
        ...read('d', long('d', 50_000)),
      ),
    )
    const { job } = summarised(bench)
    const pointer = (name: string, bytes: number) =>
      `Tool read (completed, ok): path="src/${name}.ts" → ${bytes} bytes, not carried; re-read it if needed`
    expect(job).toMatchObject({ foldId: 'q/1', requestId: 'q' })
    expect(job && summaryText(job)).toBe(
      [
        'The tools the agent has: read',
        pointer('a', 40_000),
        'The newest work, which stays as it is:',
        pointer('b', 3000),
        pointer('c', 3000),
        pointer('d', 50_000),
      ].join('\n\n'),
    )
  })

  it('is not the question itself, which may be long, but all the assistant said since', () => {
    const bench = repairBench(
      requestOf(
        ask('Head.'),
        say(long('old')),
        ask(long('QUESTION', 50_000)),
        say('Let me see.'),
        ...read('a', long('a')),
      ),
    )
    const { job } = summarised(bench)
    expect(job && summaryText(job)).not.toContain('QUESTION')
    expect(job?.retainedTail).toContain('Tool read (completed, ok): path="src/a.ts"')
  })

  it('[R352] points at a result that was cleared as at any other, whatever the policy shows', () => {
    const bench = repairBench(
      requestOf(ask('Go.'), ...['a', 'b', 'c'].flatMap((name) => read(name, long(name)))),
    )
    const pruned = landed(bench.line, bench.propose(prune, bench.line))
    const { job } = summarised(bench, pruned, { summaryBodies: true })
    expect(job?.history).toContain('path="src/a.ts" → 4000 bytes, not carried')
    expect(job?.history).not.toContain('cleared')
  })
})

describe('the newest work', () => {
  /** Answers of the talk that stay: the newest, which was not read yet, and those of the tail. */
  const answersKept = (bench: RepairBench, changed = {}) => {
    const { after } = summarised(bench, bench.line, changed)
    return after.view.filter((index) => after.record[index]?.kind === 'answer').length
  }

  it('[R358] is at most a quarter of the history, in whole rounds', () => {
    expect([2, 4, 5, 8, 9, 12, 16].map((pairs) => answersKept(repairBench(talk(pairs))))).toEqual([
      1, 1, 1, 2, 2, 3, 4,
    ])
  })

  it('[R358] is at most 32 KiB of it, however long it is', () => {
    // The newest question that was read and seven rounds before it, or six.
    expect(answersKept(repairBench(talk(60, 2184)))).toBe(8)
    expect(answersKept(repairBench(talk(60, 2185)))).toBe(7)
    // Bytes, not characters.
    const accented = (length: number) =>
      requestOf(
        ...Array.from({ length: 60 }, () => [ask('é'.repeat(length)), say('é'.repeat(length))]).flat(),
        ask('And now?'),
      )
    expect(answersKept(repairBench(accented(1092)))).toBe(8)
    expect(answersKept(repairBench(accented(1093)))).toBe(7)
  })

  it('[R358] ends at the very byte, with what calls say and as much of results as is shown', () => {
    const staysUnder = (...newest: readonly object[]) => {
      const bench = repairBench(
        requestOf(ask('Head.'), say(long('old', 300_000)), ...newest, say('Done.'), ask('And now?')),
      )
      return { bench, stays: (line: Line) => summarised(bench, line).after.view }
    }
    for (const [length, count] of [
      [32_768, 1],
      [32_769, 0],
    ] as const) {
      const said = staysUnder(ask('x'.repeat(length)))
      expect(said.stays(said.bench.line).filter((index) => index === 2)).toHaveLength(count)
      const path = 'x'.repeat(length - '{"path":""}'.length)
      const called = staysUnder(...call({ id: 'a', name: 'read', args: { path }, result: '' }))
      expect(called.stays(called.bench.line).filter((index) => index === 3)).toHaveLength(count)
      const shown = staysUnder(...call({ id: 'a', name: 'read', result: long('a', 40_000) }))
      const marker =
        '\n[5000 of 40000 characters omitted: 12345-67890. The original is kept in this browser.]\n'
      const kept = length - marker.length - '{}'.length
      const view = shown.stays(withCopy(shown.bench.line, 4, [kept]))
      expect(view.filter((index) => index === 3)).toHaveLength(count)
    }
  })

  it('[R358] counts shortened results as they are shown, and no note as history', () => {
    const bench = repairBench(
      requestOf(ask('Go.'), ...['a', 'b', 'c'].flatMap((name) => read(name, long(name)))),
    )
    const copied = withCopy(bench.line, 6, [3900])
    expect(summarised(bench, copied).after.view).not.toContain(5)
    const { after } = summarised(repairBench(talk(12)))
    const text = 'word '.repeat(20_000)
    const noted: Line = {
      ...after,
      record: after.record.map((entry) =>
        entry.note ? { ...entry, note: { ...entry.note, summary: text } } : entry,
      ),
    }
    const talked = repairBench(talk(12))
    const kept = (line: Line) =>
      summarised(talked, line).after.view.filter((index) => line.record[index]?.kind === 'answer')
    expect(kept(noted)).toEqual(kept(after))
  })

  it('[R358] never holds the oldest round, however small the rest is', () => {
    const bench = repairBench(talk(12))
    const size = { counted: 0, entries: new Map(), parts: [] }
    const taken = summary.takes(bench.contextOf(bench.line, { size }))
    // All the rest is within the bounds: nothing of it counts anything.
    expect([...taken]).toEqual([1])
  })

  it('leaves half of what fits under the target to the summary, and is gone where nothing fits beside it', () => {
    const bench = repairBench(talk(40))
    const { counted } = bench.sizeOf(bench.line)
    const under = (targetCounted: number) => answersKept(bench, { targetCounted, ceilingCounted: counted })
    expect(under(counted)).toBe(10)
    expect(under(Math.floor(counted / 4))).toBe(4)
    expect(under(0)).toBe(1)
  })

  it('[R357] is parted from the history between rounds, never between a call and its result', () => {
    for (let lines = 1; lines <= 40; lines++) {
      const rounds = Array.from({ length: 8 }, (_, round) => [
        say(`Step ${round}.`),
        ask('Go on.'),
        ...read(`c${round}`, long('r', lines * 37 * ((round % 3) + 1))),
      ]).flat()
      const bench = repairBench(requestOf(ask('Go.'), ...rounds))
      const { after } = summarised(bench)
      expect(openAiChat.lint(bench.sent(after))).toEqual([])
    }
  })
})
