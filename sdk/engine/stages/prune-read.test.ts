import { expect, it } from 'vitest'
import { landed } from '../../testing/clip-context.ts'
import { withCopy } from '../../testing/made-entries.ts'
import { repairBench } from '../../testing/repair-bench.ts'
import { ask, call } from '../../testing/stage-context.ts'
import { anthropic } from '../../wire/anthropic/index.ts'
import type { JsonObject } from '../json.ts'
import { prune } from './prune.ts'

/** A turn of four rounds with a result each, at 3, 6, 9 and 12, and a question behind it that was not read yet. */
function turnWith(...lengths: readonly number[]): JsonObject {
  const rounds = lengths.flatMap((length, place) =>
    call({ id: `call${place}`, name: 'read', result: `${place}`.repeat(length) }),
  )
  return { model: 'm', messages: [ask('Go.'), ...rounds, ask('And then?')] } as unknown as JsonObject
}

it('[R331, R333, R334] clears the newest results as well, once they were read and are no tail', () => {
  const bench = repairBench(turnWith(4000, 4000, 4000, 40_000))
  const clearedOf = (line: typeof bench.line) =>
    bench.propose(prune, line)?.cleared?.map(({ index }) => index)
  expect(clearedOf(bench.line)).toEqual([3, 6, 9])
  const read = { ...bench.line, delivered: new Set([...bench.line.delivered, 10, 11, 12]) }
  expect(read.delivered).not.toContain(13)
  expect(clearedOf(read)).toEqual([3, 6, 9, 12])
  expect(bench.propose(prune, read)?.prunedBefore).toBe(13)
})

it('[R335, R392] says how long the original is, of which only a shortened copy stood there', () => {
  const bench = repairBench(turnWith(123_456, 4000, 4000, 4000))
  const copied = withCopy(bench.line, 3, [2000])
  const record = copied.record.map((entry) => (entry.copy ? { ...entry, chars: 2100 } : entry))
  const shortened = { ...copied, record }
  const proposal = bench.propose(prune, shortened)
  const text = '[Older tool result cleared: 123456 characters, kept in this browser]'
  expect(JSON.stringify(bench.sent(landed(shortened, proposal)))).toContain(text)
  expect(proposal?.cleared?.[0]).toEqual({ index: 3, chars: 123_456 })
  expect(proposal?.added[0]?.chars).toBe(text.length)
})

it('[R331, R335] clears each of the results that one message holds, by what it alone takes', () => {
  const use = (...ids: readonly string[]) => ({
    role: 'assistant',
    content: ids.map((id) => ({ type: 'tool_use', id, name: 'read', input: {} })),
  })
  const read = (...ids: readonly string[]) => ({
    role: 'user',
    content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: id.repeat(4000) })),
  })
  const messages = [ask('Go.'), use('a', 'b'), read('a', 'b'), use('c'), read('c')]
  const bench = repairBench({ model: 'm', messages } as unknown as JsonObject, { wire: anthropic })
  const proposal = bench.propose(prune, bench.line)
  expect(proposal?.cleared?.map(({ index }) => index)).toEqual([4, 5])
  const sent = JSON.stringify(bench.sent(landed(bench.line, proposal)))
  expect(sent.split('[Older tool result cleared: 4000 characters')).toHaveLength(3)
  expect(sent).toContain('c'.repeat(4000))
})
