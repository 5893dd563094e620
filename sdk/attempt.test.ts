import { describe, expect, it } from 'vitest'
import { type DecidedAttempt, retryInput } from './attempt.ts'
import { type DecidedRequest, decideRequest } from './engine/decide.ts'
import { defaultStages, repairStages } from './engine/default-stages.ts'
import { answerCounts, runPlan } from './engine/plan.ts'
import { policyInForce } from './engine/policy.ts'
import { turnOf } from './engine/turn.ts'
import { madeDecideInput } from './testing/made-decide-input.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { ask, call, lineOfMessages, say } from './testing/stage-context.ts'
import { openAiChat } from './wire/openai-chat/index.ts'

const decide = (input: DecidedAttempt['input']): DecidedRequest =>
  runPlan(
    decideRequest({ ...input, exact: true }),
    answerCounts((texts) => texts.map((text) => text.length)),
  )

describe('a retry', () => {
  it('[R363] leaves with the bytes of the attempt before it, whatever could be folded, repaired or said by now', () => {
    const rounds = ['a', 'b', 'c', 'd', 'e'].flatMap((id) =>
      call({ id, name: 'read', result: id.repeat(1000) }),
    )
    const made = lineOfMessages([ask('Head.'), ...rounds, say('So.'), ask('And now?')])
    const input: DecidedAttempt['input'] = {
      ...madeDecideInput(made, {
        policy: policyInForce({ notice: true, contextFoldAt: 0.5, contextFoldTarget: 0.4 }),
        ceiling: { type: 'ceiling', ceiling: 11_000, source: 'policy' },
        contextTool: 'context',
      }),
      turn: turnOf(made.line, null),
      asked: '',
      standing: null,
    }
    const first = decide(input)
    expect(first.notice).not.toBeNull()
    const before = {
      requestId: 'first',
      attempt: 1,
      lineId: 'line',
      model: '',
      wire: openAiChat,
      decided: first,
      isRepaired: false,
      handedOverAt: 1,
    }
    const now: DecidedAttempt['input'] = {
      ...input,
      scale: { reported: 3, counted: 2 },
      stages: defaultStages,
      summaries: 'available',
      repair: {
        window: 100,
        readerWindow: null,
        asked: { trigger: 'overflow', limit: null, reported: null },
        stages: repairStages,
      },
    }
    const retry = decide(retryInput(now, before))
    expect(retry).toMatchObject({ folds: [], notice: first.notice, messages: first.messages })
    expect(retryInput(now, before).requestId).toBe('first')
    // It would be folded if it were none.
    expect(decide(now).folds).not.toEqual([])
  })

  it('is timed from where it was handed over itself', async () => {
    const { branch } = await openTestBranch()
    const request = { model: 'm', messages: [{ role: 'user', content: 'Hello' }] }
    for (let attempt = 0; attempt < 3; attempt++)
      await (await branch.prepare(request)).settle({ error: new Error('down') })
    const { settlements } = await branch.journal()
    expect(settlements.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    const times = settlements.map(({ ms }) => ms)
    expect(times).toEqual([times[0], times[0], times[0]])
    expect(times[0]).toBeGreaterThan(0)
  })
})
