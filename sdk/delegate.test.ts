import { describe, expect, it, vi } from 'vitest'
import type { SummaryJob } from './engine/plan.ts'
import type { Summarize } from './ports.ts'
import { type SummarizingOptions, type SummaryTransport, summaryWriter } from './summarizing.ts'

const job: SummaryJob = {
  foldId: 'q/1',
  requestId: 'q',
  instructions: 'Write a record.',
  opening: 'The tools the agent has: read',
  history: 'User: hello',
  retainedTail: 'User: and now?',
}

const usage = { input: 9, isTotal: false, raw: null }

const byModel = (text: string | null = 'By the model.') =>
  vi.fn<SummaryTransport>(async () => ({ text, usage }))

const fails = vi.fn<Summarize>(() => Promise.reject(new Error('quota')))

function writerOf(options: Partial<SummarizingOptions>) {
  const write = summaryWriter({ branchId: 'chat', compaction: { mode: 'delegate' }, ...options })
  if (write === undefined) throw new Error('nobody writes')
  return write
}

describe('summaries that are left to the app', () => {
  it('[R339, R341] are asked of its function with the address, and are summaries like any other', async () => {
    const summarize = vi.fn<Summarize>(async () => 'By the app.')
    const transport = byModel()
    expect(await writerOf({ summarize, transport })(job)).toEqual({
      type: 'written',
      text: 'By the app.',
      source: 'delegate',
      usage: null,
    })
    expect(transport).not.toHaveBeenCalled()
    expect(summarize).toHaveBeenCalledExactlyOnceWith({
      branchId: 'chat',
      requestId: 'q',
      foldId: 'q/1',
      instructions: 'Write a record.',
      history: 'The tools the agent has: read\n\nUser: hello',
      retainedTail: 'User: and now?',
      signal: expect.any(AbortSignal),
    })
  })

  const late: Summarize = () => new Promise(() => undefined)
  it.each([
    ['failed', fails],
    [
      'failed',
      vi.fn<Summarize>(() => {
        throw new TypeError('bug')
      }),
    ],
    ['empty', vi.fn<Summarize>(async () => ' \n')],
    ['empty', vi.fn<Summarize>(async () => 'Error: overloaded')],
    ['empty', vi.fn(async () => undefined) as unknown as Summarize],
    ['timeout', late],
  ] as const)(
    '[R342] are asked of the model once where the function %s, and it is said so',
    async (reason, summarize) => {
      const transport = byModel()
      const write = writerOf({ summarize, transport, compaction: { mode: 'delegate', timeoutMs: 20 } })
      const written = {
        type: 'written',
        text: 'By the model.',
        source: 'model',
        fallback: { from: 'delegate', reason },
      }
      expect(await write(job)).toEqual({ ...written, usage })
      expect(transport).toHaveBeenCalledTimes(1)
      expect(transport.mock.calls[0]?.[0].history).toBe(
        'The tools the agent has: read\n\nUser: hello\n\nThe newest work, which stays as it is:\n\nUser: and now?',
      )
      // The function had its turn for this request; what the model writes next is in its place, too.
      expect(await write({ ...job, history: 'User: more' })).toEqual({ ...written, usage })
      expect(transport).toHaveBeenCalledTimes(2)
    },
  )

  it('[R342] are failed where the model fails as well, after one call of each', async () => {
    const summarize = vi.fn<Summarize>(async () => '')
    const transport = byModel(null)
    const write = writerOf({ summarize, transport })
    const failed = { type: 'failed', reason: 'empty', fallback: { from: 'delegate', reason: 'empty' } }
    expect(await write(job)).toEqual({ ...failed, usage })
    expect(await write({ ...job, history: 'User: more' })).toEqual({ ...failed, usage: null })
    expect([summarize.mock.calls.length, transport.mock.calls.length]).toEqual([1, 1])
  })

  it('[R342] fall back on nobody where there is no model to ask', async () => {
    expect(await writerOf({ summarize: fails })(job)).toEqual({
      type: 'failed',
      reason: 'failed',
      usage: null,
    })
  })

  it('[R342] are waited for sixty seconds where the policy does not say', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout')
    await writerOf({ summarize: async () => 'By the app.' })(job)
    expect(timeout).toHaveBeenCalledExactlyOnceWith(60_000)
    timeout.mockRestore()
  })
})
