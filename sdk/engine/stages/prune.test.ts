import { describe, expect, it } from 'vitest'
import { landed } from '../../testing/clip-context.ts'
import { repairBench } from '../../testing/repair-bench.ts'
import { ask, call, say } from '../../testing/stage-context.ts'
import { anthropic } from '../../wire/anthropic/index.ts'
import { gemini } from '../../wire/gemini/index.ts'
import { openAiChat } from '../../wire/openai-chat/index.ts'
import type { JsonObject } from '../json.ts'
import { restoreEntries } from '../recover.ts'
import { clip } from './clip.ts'
import { prune } from './prune.ts'

const requestOf = (...messages: readonly object[]) => ({ model: 'm', messages }) as unknown as JsonObject

/** A result of so many characters that no other one has. */
const long = (name: string, length = 4000) => `${name} `.repeat(length).slice(0, length)

const read = (id: string, result: string) =>
  call({ id, name: 'read', args: { path: `src/${id}.ts` }, result })

/** Four rounds of one turn, of which the newest was not read. */
function agentTurn(results: readonly string[] = ['a', 'b', 'c', 'd'].map((name) => long(name))): JsonObject {
  return requestOf(ask('Go.'), ...results.flatMap((result, place) => read(`call${place}`, result)))
}

/** Record index of the result of each round of `agentTurn`: an instruction, then answers, calls and results. */
const RESULTS = [3, 6, 9, 12]

function contentsOf(request: JsonObject): readonly unknown[] {
  const messages = Array.isArray(request.messages) ? request.messages : []
  return messages.flatMap((message: JsonObject) => (message.role === 'tool' ? [message.content] : []))
}

const cleared = (index: number, length = 4000) =>
  `[Older tool result cleared: ${length} characters. context(action="read_result", index=${index}, offset=0, limit=${length})]`

describe('clearing results', () => {
  it('[R333, R335] puts the placeholder in the place of each before the newest work, and changes nothing else', () => {
    const bench = repairBench(agentTurn(), { contextTool: 'context' })
    const proposal = bench.propose(prune, bench.line)
    const after = landed(bench.line, proposal)
    expect(contentsOf(bench.sent(after))).toEqual([cleared(3), cleared(6), cleared(9), long('d')])
    const said = (request: JsonObject) =>
      (request.messages as JsonObject[]).map(({ role, content, ...rest }) => ({
        role,
        content: role === 'tool' ? null : content,
        ...rest,
      }))
    expect(said(bench.sent(after))).toEqual(said(bench.sent(bench.line)))
    expect(proposal).toMatchObject({
      taken: [],
      cleared: [3, 6, 9].map((index) => ({ index, chars: 4000 })),
      prunedBefore: 10,
    })
    expect(bench.sizeOf(after).counted).toBeLessThan(bench.sizeOf(bench.line).counted / 3)
  })

  it('[R335] names no tool to a model that has none, and as much as one reading returns to one that has', () => {
    const results = [long('a', 40_000), long('b'), long('c'), long('d')]
    const first = (options: Parameters<typeof repairBench>[1]) => {
      const bench = repairBench(agentTurn(results), options)
      return contentsOf(bench.sent(landed(bench.line, bench.propose(prune, bench.line))))[0]
    }
    expect(first({})).toBe('[Older tool result cleared: 40000 characters, kept in this browser]')
    expect(first({ contextTool: 'notes' })).toBe(
      '[Older tool result cleared: 40000 characters. notes(action="read_result", index=3, offset=0, limit=16000)]',
    )
    expect(first({ contextTool: 'notes', maxChars: 2000 })).toContain('limit=2000)]')
  })

  it('[R333] leaves the rounds of the tail alone, and says where they begin', () => {
    const results = [long('a', 40_000), 'b'.repeat(3000), 'c'.repeat(3000), 'd'.repeat(3000)]
    const bench = repairBench(agentTurn(results))
    const proposal = bench.propose(prune, bench.line)
    expect(proposal?.cleared).toEqual([{ index: 3, chars: 40_000 }])
    // Two rounds of 3,000 characters are less than a quarter of what was read.
    expect(proposal?.prunedBefore).toBe(4)
    expect(contentsOf(bench.sent(landed(bench.line, proposal))).slice(1)).toEqual(results.slice(1))
  })

  it('[R334] never clears what the model has not read, however large it is and wherever it stands', () => {
    const bench = repairBench(agentTurn([long('a'), long('b'), long('c'), long('d', 400_000)]))
    const proposal = bench.propose(prune, bench.line)
    expect(proposal?.cleared?.map(({ index }) => index)).toEqual([3, 6, 9])
    const delivered = new Set(bench.line.delivered)
    delivered.delete(6)
    const unread = bench.propose(prune, { ...bench.line, delivered })
    expect(unread?.cleared?.map(({ index }) => index)).toEqual([3, 9])
    const nothing = bench.propose(prune, { ...bench.line, delivered: new Set<number>() })
    expect(nothing).toBeNull()
  })

  it('[R333] ends with the current fan, whatever was read that came after it', () => {
    const bench = repairBench(
      requestOf(...(agentTurn().messages as JsonObject[]), ask('Hurry.'), ask('And then?')),
    )
    const { line } = bench
    const steered = { ...line, delivered: new Set([...line.delivered, 13]) }
    expect(bench.propose(prune, steered)).toMatchObject({
      cleared: [3, 6, 9].map((index) => ({ index, chars: 4000 })),
      prunedBefore: 10,
    })
  })

  it('leaves alone what a stage may not reach', () => {
    const bench = repairBench(agentTurn())
    const proposal = bench.propose(prune, bench.line, { changed: { from: 4 } })
    expect(proposal?.cleared?.map(({ index }) => index)).toEqual([6, 9])
  })

  it('leaves alone what somebody keeps, and what was restored or read back since', () => {
    const bench = repairBench(agentTurn())
    const indexesOf = (line: typeof bench.line) =>
      bench.propose(prune, line)?.cleared?.map(({ index }) => index)
    expect(indexesOf({ ...bench.line, pinned: new Set([6]) })).toEqual([3, 9])
    expect(indexesOf({ ...bench.line, recovered: new Set([9]) })).toEqual([3, 6])
  })

  it('[R336] keeps an error as the model saw it, and saves nothing by it', () => {
    const failed = [`Error: ${long('a')}`, `{"success":false,"error":"${long('b')}"}`]
    const bench = repairBench(agentTurn([...failed, long('c'), long('d')]))
    const proposal = bench.propose(prune, bench.line)
    expect(proposal?.cleared?.map(({ index }) => index)).toEqual([9])
    expect(contentsOf(bench.sent(landed(bench.line, proposal))).slice(0, 2)).toEqual(failed)
    const errors = repairBench(agentTurn([...failed, ...failed]))
    expect(errors.propose(prune, errors.line)).toBeNull()
  })

  it('leaves what would take no less with its placeholder', () => {
    const bench = repairBench(agentTurn([long('a', 60), long('b', 90), long('c'), long('d')]))
    expect(bench.propose(prune, bench.line)?.cleared?.map(({ index }) => index)).toEqual([6, 9])
  })

  it('clears media with their result, which says nothing of the text', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }
    const use = (id: string) => ({
      role: 'assistant',
      content: [{ type: 'tool_use', id, name: 'look', input: {} }],
    })
    const seen = (id: string) => ({
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: id, content: [image] }],
    })
    const bench = repairBench(requestOf(ask('Go.'), use('a'), seen('a'), use('b'), seen('b')), {
      wire: anthropic,
    })
    const after = landed(bench.line, bench.propose(prune, bench.line))
    const sent = JSON.stringify(bench.sent(after))
    expect(sent.split('iVBORw0KGgo=')).toHaveLength(2)
    expect(sent).toContain('"content":"[Older tool result cleared: 7 characters, kept in this browser]"')
    expect(anthropic.lint(bench.sent(after))).toEqual([])
  })

  it('writes what the format takes in the place of an object', () => {
    const turn = (name: string) => [
      { role: 'model', parts: [{ functionCall: { name, args: {} }, thoughtSignature: 'c2ln' }] },
      { role: 'user', parts: [{ functionResponse: { name, response: { rows: [long(name)], more: 1 } } }] },
    ]
    const contents = [{ role: 'user', parts: [{ text: 'Go.' }] }, ...turn('a'), ...turn('b')]
    const bench = repairBench({ contents } as unknown as JsonObject, { wire: gemini })
    const sent = bench.sent(landed(bench.line, bench.propose(prune, bench.line)))
    expect(sent.contents).toEqual(
      contents.with(2, {
        role: 'user',
        parts: [
          {
            functionResponse: {
              name: 'a',
              response: {
                output: expect.stringMatching(
                  /^\[Older tool result cleared: \d+ characters, kept in this browser\]$/,
                ),
              },
            },
          },
        ],
      } as never),
    )
  })

  it('[R392] is written from the record: a shortened copy is cleared as its original, once and for all', () => {
    const bench = repairBench(agentTurn(), { contextTool: 'context' })
    const shortened = landed(
      bench.line,
      bench.propose(clip, bench.line, { changed: { measureChange: wholeOnly } }),
    )
    expect(shortened.view).not.toEqual(bench.line.view)
    const proposal = bench.propose(prune, shortened)
    const pruned = landed(shortened, proposal)
    expect(contentsOf(bench.sent(pruned)).slice(0, 3)).toEqual([3, 6, 9].map((index) => cleared(index)))
    expect(proposal?.added).toMatchObject(
      [3, 6, 9].map((index, place) => ({
        callId: `call${place}`,
        kind: 'copy',
        round: index - 2,
        chars: cleared(index).length,
      })),
    )
    expect(proposal?.added.map(({ copy }) => copy)).toEqual(
      [3, 6, 9].map((original) => ({ foldId: 'q/1', original, kept: [0], cleared: true })),
    )
    expect(bench.propose(prune, pruned)).toBeNull()
    // Nothing is left of them that could be shortened; only what was not cleared is.
    const again = bench.propose(clip, pruned, { changed: { measureChange: wholeOnly } })
    expect(again?.clipped?.map(({ index }) => index) ?? []).not.toContain(3)
    expect(contentsOf(bench.sent(landed(pruned, again))).slice(0, 3)).toEqual(
      [3, 6, 9].map((index) => cleared(index)),
    )
  })

  it('comes back whole, to the byte, and is not cleared again before it was read', () => {
    const bench = repairBench(agentTurn())
    const pruned = landed(bench.line, bench.propose(prune, bench.line))
    const restored = restoreEntries(pruned, [3])
    if (restored.type === 'nothing') throw new Error(restored.reason)
    expect(contentsOf(bench.sent(restored.line))[0]).toBe(long('a'))
    expect(contentsOf(bench.sent(restored.line))[1]).not.toBe(long('b'))
    expect(bench.propose(prune, restored.line)).toBeNull()
    const all = restoreEntries(pruned, RESULTS)
    if (all.type === 'nothing') throw new Error(all.reason)
    expect(JSON.stringify(bench.sent(all.line))).toBe(JSON.stringify(bench.sent(bench.line)))
  })

  it('[R356] has nothing to do where all that was read is the tail, or nothing was', () => {
    const first = repairBench(requestOf(ask('Go.'), ...read('a', long('a'))))
    expect(first.propose(prune, first.line)).toBeNull()
    const talk = repairBench(requestOf(ask('a'), say('b'), ask('c'), say('d'), ask('e')))
    expect(talk.propose(prune, talk.line)).toBeNull()
    expect(openAiChat.lint(first.sent(first.line))).toEqual([])
  })
})

/** Has a cut counted by the whole request. */
// biome-ignore lint/correctness/useYield: nothing is asked for.
function* wholeOnly() {
  return null
}
