import { describe, expect, it, vi } from 'vitest'
import { type RepairBench, repairBench } from '../../testing/repair-bench.ts'
import { ask, call, say } from '../../testing/stage-context.ts'
import type { JsonObject } from '../json.ts'
import type { SummaryJob, SummaryOutcome } from '../plan.ts'
import type { Line } from '../record.ts'
import { summary } from './summary.ts'

const requestOf = (...messages: readonly object[]) => ({ model: 'm', messages }) as unknown as JsonObject

const written: SummaryOutcome = { type: 'written', text: 'They talked.', source: 'model', usage: null }

/** What the writer of a summary reads of what stays. */
function retainedOf(bench: RepairBench, line: Line = bench.line): string | undefined {
  const summarize = vi.fn((_: SummaryJob) => written)
  bench.propose(summary, line, { summarize })
  return summarize.mock.calls[0]?.[0].retainedTail
}

const long = (name: string) => `${name} ${'word '.repeat(4000)}`

describe('what the writer of a summary reads of the newest work', () => {
  it('[R358] is what the user said in it as well, in its place', () => {
    const bench = repairBench(
      requestOf(ask('Head.'), say(long('old')), ask('Look again.'), say('I did.'), ask('And now?')),
    )
    expect(retainedOf(bench)).toBe('User: Look again.\nAssistant: I did.')
  })

  it('[R358] is what somebody keeps of it as well', () => {
    const bench = repairBench(
      requestOf(
        ask('Head.'),
        say(long('old')),
        ...call({ id: 'a', name: 'read', result: 'ok' }),
        say('I did.'),
        ask('And now?'),
      ),
    )
    expect(retainedOf(bench, { ...bench.line, pinned: new Set([2, 3, 4]) })).toBe(
      'Tool read (completed, ok):  → 2 bytes, not carried; re-read it if needed\n\nAssistant: I did.',
    )
  })

  it('[R352] holds no pointer to what is no result', () => {
    const bench = repairBench(
      requestOf(
        ask('Head.'),
        say(long('old')),
        ask('Look again.'),
        { role: 'system', content: 'Be brief.' },
        say('I did.'),
        ask('And now?'),
      ),
    )
    expect(bench.line.record[3]?.kind).toBe('system')
    expect(retainedOf(bench)).toBe('User: Look again.\nAssistant: I did.')
  })
})
