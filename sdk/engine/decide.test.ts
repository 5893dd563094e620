import { describe, expect, it } from 'vitest'
import { madeDecideInput } from '../testing/made-decide-input.ts'
import { ask, lineOfMessages } from '../testing/stage-context.ts'
import { type DecidedRequest, decideRequest } from './decide.ts'
import type { DecideInput } from './decide-input.ts'
import type { FoldStages } from './fold.ts'
import { answerCounts, runPlan } from './plan.ts'
import { type ContextPolicy, policyInForce } from './policy.ts'
import type { Stage, SummaryStage } from './stages/stage.ts'
import { tokensOfPart } from './tally.ts'

/** Takes the second message of the view; each fold runs it once. */
const shed: Stage = {
  name: 'tool_io',
  keptTail: 2,
  *propose({ line }) {
    const second = line.view[1]
    if (second === undefined || line.view.length < 3) return null
    return { view: line.view.filter((index) => index !== second), added: [], taken: [second] }
  },
}

const stages = (...ordinary: readonly Stage[]): FoldStages => ({ ordinary, summaries: [], resets: [] })

const messages = Array.from({ length: 10 }, (_, place) => ask(`${place}`.repeat(1000)))

/** Decides ten messages of a thousand characters, at a token a character. */
function decide(
  policy: ContextPolicy & { readonly maxInputTokens: number },
  options: Partial<DecideInput> = {},
): DecidedRequest {
  const { maxInputTokens: ceiling } = policy
  const input = madeDecideInput(lineOfMessages(messages), {
    policy: policyInForce(policy),
    ceiling: { type: 'ceiling', ceiling, source: 'policy' },
    stages: stages(shed),
    summaries: 'missing',
    resumptions: 2,
    contextTool: 'context',
    ...options,
  })
  return runPlan(
    decideRequest(input),
    answerCounts((texts) => texts.map((text) => text.length)),
  )
}

const whole = decide({ maxInputTokens: 1_000_000 }).size.counted
const one = whole - decide({ maxInputTokens: whole }, { resumptions: 0 }).size.counted

function textOf({ messages: sent }: DecidedRequest): string {
  return JSON.stringify(sent.map(({ native }) => native))
}

const reasons = ({ folds }: DecidedRequest) => folds.map(({ reason }) => reason)

describe('a request that is still over the ceiling after a fold', () => {
  it('[R59, R60] is folded again, at most twice', () => {
    // Three messages too many.
    const ceiling = whole - 3 * one
    const decided = decide({ maxInputTokens: ceiling })
    expect(reasons(decided)).toEqual(['threshold', 'refused', 'refused'])
    expect(decided.folds.map(({ id }) => id)).toEqual(['q/1', 'q/2', 'q/3'])
    expect(decided).toMatchObject({ refusal: null, resumptions: 2 })
    expect(decided.facts).toMatchObject({ action: 'fold', after: ceiling, folded: [1, 2, 3] })
    expect(decided.facts.trace.filter(({ type }) => type === 'resumed')).toEqual([
      { type: 'resumed', estimate: whole - one, ceiling },
      { type: 'resumed', estimate: whole - 2 * one, ceiling },
    ])
    const over = decide({ maxInputTokens: ceiling - 1 })
    expect(over).toMatchObject({ refusal: 'over_ceiling', resumptions: 2 })
    expect(over.folds).toHaveLength(3)
  })

  it('[R60] is folded again only as often as its turn still may', () => {
    const ceiling = whole - 3 * one
    expect(decide({ maxInputTokens: ceiling }, { resumptions: 1 })).toMatchObject({
      refusal: 'over_ceiling',
      resumptions: 1,
    })
    expect(decide({ maxInputTokens: ceiling }, { resumptions: 0 })).toMatchObject({
      refusal: 'over_ceiling',
      resumptions: 0,
    })
  })

  it('[R63, R56] is not folded again where no pass landed', () => {
    const same: Stage = {
      ...shed,
      // biome-ignore lint/correctness/useYield: it asks for nothing.
      *propose({ line }) {
        return { view: line.view, added: [], taken: [] }
      },
    }
    const decided = decide({ maxInputTokens: whole - 1 }, { stages: stages(same) })
    expect(decided).toMatchObject({ refusal: 'nothing_to_fold', resumptions: 0 })
    expect(decided.folds).toMatchObject([{ outcome: 'rolled_back' }])
    const once: Stage = {
      ...shed,
      *propose(context) {
        return context.line.view.length < 10 ? null : yield* shed.propose(context)
      },
    }
    expect(decide({ maxInputTokens: whole - 2 * one }, { stages: stages(once) })).toMatchObject({
      refusal: 'over_ceiling',
      resumptions: 1,
    })
  })

  it('[R64] is over the same ceiling whatever the line and the target', () => {
    for (const shares of [
      {},
      { contextFoldAt: 1, contextFoldTarget: 0.9 },
      { contextFoldAt: 0.3, contextFoldTarget: 0.1 },
    ]) {
      const verdict = (ceiling: number) =>
        decide({ maxInputTokens: ceiling, ...shares }, { stages: stages() }).refusal
      expect([whole + 1, whole, whole - 1].map(verdict)).toEqual([null, null, 'nothing_to_fold'])
    }
  })

  it('[R59] is folded again with the news of the fold before it: no summary came, or nobody writes one', () => {
    // Most of the rest leaves with the second fold, which needs no summary any more.
    const more: Stage = {
      ...shed,
      *propose(context) {
        const { view } = context.line
        if (view.length > 8) return yield* shed.propose(context)
        return { view: view.slice(0, 2), added: [], taken: view.slice(2) }
      },
    }
    const unwritten: SummaryStage = {
      ...shed,
      name: 'all',
      takes: ({ line }) => new Set(line.view.slice(1)),
      *propose(context) {
        const proposal = yield* shed.propose(context)
        return proposal && { ...proposal, summary: { type: 'failed', usage: null } }
      },
    }
    const warned = (summaries: DecideInput['summaries'], ceiling: number) => {
      const { facts, resumptions } = decide(
        { maxInputTokens: ceiling },
        { stages: { ordinary: [more], summaries: [unwritten], resets: [] }, summaries },
      )
      return [resumptions, ...facts.warnings.map(({ code }) => code)]
    }
    expect(warned('available', whole - 3 * one)).toEqual([1, 'summary_failed'])
    expect(warned('missing', whole - 3 * one)).toEqual([2, 'summary_unavailable'])
  })

  it('is not folded at all for a retry or under a refusal that stands', () => {
    const decided = decide({ maxInputTokens: whole - 1 }, { stages: null })
    expect(decided).toMatchObject({ refusal: 'nothing_to_fold', folds: [], resumptions: 0 })
  })
})

describe('the notice', () => {
  const noticed = (policy: Partial<ContextPolicy>, options?: Partial<DecideInput>): DecidedRequest =>
    decide({ maxInputTokens: whole + 1000, notice: true, ...policy } as never, {
      stages: stages(),
      ...options,
    })

  it('[R233] says the size, the ceiling and the tool as the last of the request, and is counted', () => {
    const decided = noticed({})
    const last = JSON.stringify(decided.messages.at(-1)?.native)
    expect(last).toContain(`about ${whole} of the ${whole + 1000} tokens`)
    expect(last).toContain('context can set material aside')
    expect(decided.messages).toHaveLength(11)
    expect(decided.size.counted).toBe(whole + last.length + 1)
    expect(decided.facts).toMatchObject({ action: 'notice', after: decided.size.counted })
    expect(decided.line.record).toHaveLength(10)
    expect(decided.items).toHaveLength(10)
  })

  it('begins exactly at the line', () => {
    expect(
      noticed({ maxInputTokens: whole * 2, contextFoldAt: 0.5, contextFoldTarget: 0.4 }).facts.action,
    ).toBe('notice')
    const under = noticed({ maxInputTokens: whole * 2 + 2, contextFoldAt: 0.5, contextFoldTarget: 0.4 })
    expect(under.facts.action).toBe('pass')
    expect(under.changed).toBe(false)
  })

  it('is for a request that was folded and is still at the line, and speaks of what is left', () => {
    const decided = noticed({ maxInputTokens: whole }, { stages: stages(shed) })
    expect(decided.facts.action).toBe('fold')
    expect(textOf(decided)).toContain(`about ${whole - one} of the ${whole} tokens`)
  })

  it.each<[string, Partial<ContextPolicy>, Partial<DecideInput>]>([
    ['nobody wants it', { notice: false }, {}],
    ['the request carries no context tool', {}, { contextTool: null }],
    ['reasoning is bound to what stands before it', {}, { bindsReasoning: true }],
    ['the run is bounded', {}, { run: 'bounded' }],
    ['the app has the end of the request marked', {}, { endMark: '5m' }],
    ['there is no ceiling', {}, { ceiling: { type: 'ceiling', ceiling: null, source: 'none' } }],
  ])('is not said where %s', (_, policy, options) => {
    const decided = noticed(policy, options)
    expect(decided.changed).toBe(false)
    expect(decided.facts.action).toBe('pass')
  })

  it('[R59] that pushes the request over the ceiling has it folded again, and then says the new size', () => {
    // One message less is at the ceiling without the notice.
    const ceiling = whole - one
    const decided = noticed({ maxInputTokens: ceiling }, { stages: stages(shed) })
    expect(reasons(decided)).toEqual(['threshold', 'refused'])
    expect(decided).toMatchObject({ refusal: null, resumptions: 1 })
    expect(textOf(decided)).toContain(`about ${whole - 2 * one} of the ${ceiling} tokens`)
  })

  it('is left out where it alone would be over the ceiling', () => {
    const length = noticed({}).size.counted - whole
    const fits = noticed({ maxInputTokens: whole + length })
    expect(fits).toMatchObject({ refusal: null, facts: { action: 'notice' } })
    for (const room of [0, length - 2]) {
      const decided = noticed({ maxInputTokens: whole + room })
      expect(decided).toMatchObject({ refusal: null, changed: false, size: { counted: whole } })
      expect(decided.facts).toMatchObject({ action: 'pass', after: whole })
    }
  })

  it('is said again by a retry to the byte', () => {
    for (const ceiling of [whole, whole - one]) {
      const first = noticed({ maxInputTokens: ceiling }, { stages: stages(shed) })
      const retry = noticed({ maxInputTokens: ceiling }, { line: first.line, stages: null })
      expect(textOf(retry)).toBe(textOf(first))
      expect(textOf(retry)).toContain('[Note from the app')
    }
  })

  it('is what the first attempt said, whatever the scale has become since', () => {
    const first = noticed({})
    const scale = { reported: 21, counted: 20 }
    const retry = noticed({}, { stages: null, repeated: first, scale })
    expect(retry.facts.before).toBeGreaterThan(first.facts.before)
    expect(textOf(retry)).toBe(textOf(first))
    expect(noticed({}, { stages: null, repeated: { notice: null }, scale }).changed).toBe(false)
  })
})

describe('a request that continues what the provider holds', () => {
  it('[R39] is measured with its tools once, though the history was asked with them as well', () => {
    const snapshot = [{ type: 'function', function: { name: 'read' } }]
    const tools = {
      type: 'value',
      key: 'tools',
      part: 'tools',
      snapshot,
      json: JSON.stringify(snapshot),
    } as const
    const fields = [{ type: 'messages', key: 'messages' } as const, tools]
    const estimateOf = (remote: DecideInput['remote']) =>
      decide({ maxInputTokens: 1_000_000 }, { fields, remote }).facts.before
    const brought = tokensOfPart(decide({ maxInputTokens: 1_000_000 }, { fields }).size, 'tools')
    expect(brought).toBeGreaterThan(40)
    expect(estimateOf({ reported: 5000, tools: 0 }) - estimateOf({ reported: 5000, tools: brought })).toBe(
      brought,
    )
  })
})
