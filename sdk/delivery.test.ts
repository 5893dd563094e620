import { describe, expect, it } from 'vitest'
import type { Prepared } from './branch.ts'
import { deliveredByPosition } from './engine/delivery.ts'
import type { FoldRecord } from './engine/journal.ts'
import type { ContextPolicy } from './engine/policy.ts'
import { InputCeilingError } from './errors.ts'
import type { BranchStore, Summarize } from './ports.ts'
import { memoryStore } from './stores/memory.ts'
import { openTestBranch, type TestBranch } from './testing/open-branch.ts'
import { messagesOf } from './testing/play-conversation.ts'
import { resultsIn } from './testing/sent-request.ts'
import { numberedText, type ToolChatRound, toolChat } from './testing/tool-chat.ts'
import { lineOf } from './testing/toy-fold.ts'

const system = { role: 'system', content: 'Be brief.' }

/** Record indexes: 0 the system, 1 the task; then each round's answer, calls and results. */
function request(played: readonly ToolChatRound[]): object {
  const chat = toolChat(played)
  return { ...chat, messages: [system, ...messagesOf(chat)] }
}

const first: ToolChatRound = { results: [numberedText(600, 'one')] }
const second: ToolChatRound = { results: [numberedText(600, 'two'), numberedText(600, 'three')] }

async function open(
  policy: ContextPolicy = { maxInputTokens: 'none' },
  options: { readonly store?: BranchStore; readonly summarize?: Summarize } = {},
): Promise<TestBranch> {
  return openTestBranch({ policy, ...options })
}

async function deliveredOf({ branch }: Pick<TestBranch, 'branch'>): Promise<readonly number[]> {
  const { messages } = await branch.getMessages({ scope: 'all' })
  return messages.filter(({ delivered }) => delivered).map(({ index }) => index)
}

async function completed({ branch }: TestBranch, played: readonly ToolChatRound[]): Promise<Prepared> {
  const prepared = await branch.prepare(request(played))
  await prepared.settle({ usage: null })
  return prepared
}

function landed(folds: readonly FoldRecord[]): readonly FoldRecord[] {
  return folds.filter(({ outcome }) => outcome === 'landed')
}

describe('what the model has read, step by step', () => {
  it('[R81, R82, R367] is what a completed main request carried', async () => {
    const test = await open()
    await completed(test, [])
    expect(await deliveredOf(test)).toEqual([0, 1])
  })

  it('[R84, R87] is nothing of a request that failed, was aborted or is still open, and all of one sent again', async () => {
    const test = await open()
    await completed(test, [])
    const failed = await test.branch.prepare(request([first]))
    // The answer is the evidence for what it answered, and its own call and result are new.
    expect(await deliveredOf(test)).toEqual([0, 1])
    await failed.settle({ error: new Error('the line broke') })
    expect(await deliveredOf(test)).toEqual([0, 1])
    await (await test.branch.prepare(request([first]))).settle({ aborted: true })
    expect(await deliveredOf(test)).toEqual([0, 1])
    await completed(test, [first])
    expect(await deliveredOf(test)).toEqual([0, 1, 2, 3, 4])
  })

  it('[R87, R89] lets a fold take what was read, and never a result that was not, nor its call', async () => {
    const test = await open()
    await completed(test, [])
    await completed(test, [first])
    const { decision } = await test.branch.prepare(request([first, second]))
    await test.branch.setPolicy({
      maxInputTokens: Math.floor(decision.counted * 0.9),
      contextFoldTarget: 0.1,
    })
    const prepared = await test.branch.prepare(request([first, second]))
    expect(prepared.decision.folded).toEqual([3, 4])
    expect(resultsIn(messagesOf(prepared.request)).map(({ callId }) => callId)).toEqual([
      'call_1_0',
      'call_1_1',
    ])
  })

  it('[R83, R367] is nothing that a summary request reads, be it of a fold or of compact', async () => {
    const seen: (readonly number[])[] = []
    const test = await open(
      { maxInputTokens: 700, contextFoldTarget: 0.2 },
      {
        summarize: async () => {
          seen.push([])
          return 'Read.'
        },
      },
    )
    const words = Array.from(
      { length: 6 },
      (_, part): ToolChatRound => ({
        says: numberedText(150, `so ${part},`),
        results: ['ok'],
      }),
    )
    await test.branch.prepare(request(words.slice(0, 5)))
    const before = await deliveredOf(test)
    await test.branch.setPolicy({ maxInputTokens: 500, contextFoldTarget: 0.2 })
    await test.branch.prepare(request(words.slice(0, 5)))
    expect(seen).not.toHaveLength(0)
    expect(await deliveredOf(test)).toEqual(before)
    seen.length = 0
    await test.branch.setPolicy({ maxInputTokens: 'none' })
    await test.branch.restore({ start: 0, end: 100 })
    const restored = await deliveredOf(test)
    await test.branch.compact({ start: 2, end: 8 })
    expect(seen).toHaveLength(1)
    expect(await deliveredOf(test)).toEqual(restored)
  })

  it('[R82] is nothing that came after the request was handed over', async () => {
    const test = await open()
    const early = await test.branch.prepare(request([first]))
    await test.branch.prepare(request([first, second]))
    await early.settle({ usage: null })
    expect(await deliveredOf(test)).toEqual([0, 1, 2, 3, 4])
    await completed(test, [first, second])
    await test.branch.evict({ start: 3 })
    const late = await test.branch.prepare(request([first, second]))
    await test.branch.restore({ start: 3 })
    await late.settle({ usage: null })
    expect(await deliveredOf(test)).toEqual([0, 1, 2, 5, 6, 7, 8, 9])
  })

  it('[R82] is not what was restored while the request was on its way, so that the next fold leaves it', async () => {
    const test = await open()
    await completed(test, [first])
    const prepared = await test.branch.prepare(request([first, second]))
    await test.branch.evict({ start: 3 })
    await test.branch.restore({ start: 3 })
    await prepared.settle({ usage: null })
    expect(await deliveredOf(test)).toEqual([0, 1, 2, 5, 6, 7, 8, 9])
  })

  it('[R82] is not what was restored after a later list had told that the request was read', async () => {
    const test = await open()
    const early = await test.branch.prepare(request([first]))
    await test.branch.prepare(request([first, second]))
    await test.branch.evict({ start: 3 })
    await test.branch.restore({ start: 3 })
    await test.branch.prepare(request([first, second, { results: ['ok'] }]))
    const read = await deliveredOf(test)
    await early.settle({ usage: null })
    expect(await deliveredOf(test)).toEqual(read)
  })

  it('[R75, R85, R367] survives a reload and a clone', async () => {
    const store = memoryStore()
    const test = await open(undefined, { store })
    await completed(test, [first])
    await test.branch.prepare(request([first, second]))
    const delivered = await deliveredOf(test)
    expect(delivered).toEqual([0, 1, 2, 3, 4])
    expect(await deliveredOf(await open(undefined, { store }))).toEqual(delivered)
    expect(await deliveredOf({ branch: (await test.branch.clone('copy')) as TestBranch['branch'] })).toEqual(
      delivered,
    )
  })

  it('[R86, R367] is all that stands before the newest answer where nobody recorded it', async () => {
    const store = memoryStore()
    const test = await open(undefined, { store })
    await test.branch.prepare(request([first]))
    await test.branch.prepare(request([first, second]))
    const unrecorded: BranchStore = {
      ...store,
      async load(id) {
        const stored = await store.load(id)
        return stored && { ...stored, lines: stored.lines.map(({ delivered: _, ...line }) => line) }
      },
    }
    expect(await deliveredOf(await open(undefined, { store: unrecorded }))).toEqual([0, 1, 2, 3, 4])
    const letters = lineOf('suacracr').record
    expect([...deliveredByPosition(letters)]).toEqual([0, 1, 2, 3, 4])
    const note = { ...letters[2], index: 8, kind: 'note' as const, key: '', round: -1, chars: 1 }
    expect([...deliveredByPosition([...letters, note])]).toEqual([0, 1, 2, 3, 4])
    expect([...deliveredByPosition(lineOf('su').record)]).toEqual([])
  })

  it('[R86] is what a list itself places before its newest answer, when a branch begins with a long one', async () => {
    const test = await open()
    await test.branch.prepare(request([first, second]))
    expect(await deliveredOf(test)).toEqual([1, 2, 3, 4])
  })

  it('[R90, R121, R123, R368] is a result whose copy was carried, and then its call may go and is listed by the original', async () => {
    const long: ToolChatRound = { results: [numberedText(20_000, 'long')] }
    const test = await open({ maxInputTokens: 4000 })
    const carried = await test.branch.prepare(request([long]))
    expect(landed((await test.branch.journal()).folds).map(({ stage }) => stage)).toEqual(['clip'])
    expect(JSON.stringify(carried.request)).toContain('of 20000 characters omitted')
    const { messages } = await test.branch.getMessages({ scope: 'all' })
    expect(messages.map(({ kind }) => kind)).toEqual([
      'system',
      'instruction',
      'answer',
      'call',
      'result',
      'copy',
    ])
    expect(test.events.filter(({ type }) => type === 'stage-applied')).toHaveLength(1)
    expect(await test.branch.status()).toMatchObject({ entries: 6, inView: 5, folded: 0 })
    expect(await deliveredOf(test)).not.toContain(4)
    await carried.settle({ usage: null })
    expect(await deliveredOf(test)).toContain(4)
    const more = Array.from({ length: 4 }, (): ToolChatRound => ({ results: [numberedText(2500, 'more')] }))
    await test.branch.prepare(request([long, ...more]))
    const calls = landed((await test.branch.journal()).folds).flatMap((fold) => fold.calls)
    expect(calls.filter(({ index }) => index === 4)).toEqual([
      { index: 4, function: 'read', arguments: expect.any(String), outputChars: 20_000 },
    ])
  })

  it('[R84] is nothing of a request that was refused', async () => {
    const test = await open({ maxInputTokens: 60, run: 'bounded' } as ContextPolicy)
    await expect(test.branch.prepare(request([first]))).rejects.toBeInstanceOf(InputCeilingError)
    expect(await deliveredOf(test)).toEqual([1])
  })
})
