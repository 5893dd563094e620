import { describe, expect, it } from 'vitest'
import { requestKey } from './reduce.ts'
import { describeFold, describeOutcome, describeRequest } from './sentences.ts'
import { decision, fold, foldedDecision, refusedDecision, settlement } from './testing/journal-builder.ts'

const request = (record: ReturnType<typeof decision>, outcome?: ReturnType<typeof settlement>) => ({
  key: requestKey(record),
  decision: record,
  ...(outcome ? { settlement: outcome } : {}),
})

describe('describeRequest', () => {
  it('tells a fold in the engine’s own numbers', () => {
    const usage = { input: 30_400, isTotal: false, raw: null }
    expect(describeRequest(request(foldedDecision(1), settlement(1, { usage })))).toEqual([
      'Measured 60,000, at or past the fold line of 51,200.',
      'Folded tool calls and results, keeping the last 6: 60,000 → 30,000 (−30,000), at or under the target of 38,400. 2 entries: 3–4.',
      'Sent at about 30,000; answered. The provider counted 30,400 (+400).',
    ])
  })

  it('tells a refusal with its reason', () => {
    expect(describeRequest(request(refusedDecision(1)))).toEqual([
      'Measured 70,000, at or past the fold line of 51,200.',
      '70,000 is over the ceiling of 64,000. There is nothing that may be folded.',
      'Not sent.',
    ])
  })

  it('says that no ceiling is in force and that nothing was reported', () => {
    expect(describeRequest(request(decision(1, { ceiling: null }), settlement(1)))).toEqual([
      'Measured 10,000. No ceiling is in force.',
      'Sent at about 10,000; answered, with no usage reported.',
    ])
  })

  it('tells a stage that was undone and one that found nothing', () => {
    const stage = {
      type: 'stage',
      stage: 'tool_io',
      keptTail: 2,
      before: 60_000,
      after: 60_200,
      indexes: [1],
      target: 38_400,
    } as const
    const trace = [
      { ...stage, outcome: 'rolled_back' },
      { ...stage, outcome: 'nothing_to_take' },
    ] as const
    expect(describeRequest(request(decision(1, { trace }))).slice(0, 2)).toEqual([
      'Tried tool calls and results, keeping the last 2: 60,000 → 60,200 (+200). That is no gain, so it was undone.',
      'Looked for tool calls and results, keeping the last 2: nothing that may be taken.',
    ])
  })
})

describe('the floor and what depends on it', () => {
  it('says what a summary could have done, and why none was asked for', () => {
    const trace = [
      { type: 'notes', estimate: 3001, limit: 3000, resets: true },
      { type: 'floor', estimate: 70_000, verdict: 'unsendable' },
      {
        type: 'stage',
        stage: 'all',
        keptTail: 2,
        before: 60_000,
        after: 60_000,
        indexes: [],
        target: 38_400,
        outcome: 'no_summarizer',
      },
    ] as const
    expect(describeRequest(request(decision(1, { trace }))).slice(0, 3)).toEqual([
      'The notes come to 3,001, over their limit of 3,000, so they were made into one.',
      'Without all that may be summarised it would be 70,000, over the ceiling, so no summary could make it fit and none was asked for.',
      'Could have summarised whole rounds, keeping the last 2, but there is nobody to write the summary.',
    ])
  })
})

describe('describeOutcome', () => {
  it('says it in one line', () => {
    expect(describeOutcome(request(foldedDecision(1)))).toBe('Folded 2 entries to fit 64,000')
    expect(describeOutcome(request(refusedDecision(1)))).toBe('Refused: 70,000 is over 64,000')
    expect(describeOutcome(request(decision(1)))).toBe('Sent at about 10,000')
    expect(describeOutcome(request(decision(1), settlement(1, { outcome: 'failed' })))).toBe(
      'Failed at the provider',
    )
  })

  it('counts clipped results beside folded entries', () => {
    const clip = {
      type: 'stage',
      stage: 'clip',
      keptTail: null,
      before: 60_000,
      after: 38_000,
      indexes: [4, 8],
      target: 38_400,
      outcome: 'landed',
    } as const
    expect(describeOutcome(request(decision(1, { action: 'fold', trace: [clip] })))).toBe(
      'Clipped 2 results to fit 64,000',
    )
    const both = decision(1, { action: 'fold', trace: [clip], folded: [3] })
    expect(describeOutcome(request(both))).toBe('Folded 1 entry and clipped 2 results to fit 64,000')
    expect(describeRequest(request(both))[0]).toBe(
      'Clipped long results: 60,000 → 38,000 (−22,000), at or under the target of 38,400. 2 entries: 4, 8.',
    )
  })
})

describe('describeFold', () => {
  it('says why, and whether the target was reached', () => {
    expect(describeFold(fold(1))).toBe(
      'Folded 2 entries (tool calls and results) because the request reached the fold line. The target was reached.',
    )
    expect(describeFold(fold(1, { outcome: 'rolled_back' }))).toContain('It was undone: no gain.')
    const clipped = [{ index: 4, chars: 48_120, kept: 2000 }]
    expect(describeFold(fold(1, { stage: 'clip', clipped, clippedTotal: 1, messagesFolded: 0 }))).toBe(
      'Clipped 1 result text because the request reached the fold line. The target was reached.',
    )
  })

  it('says what a repair cleared', () => {
    const cleared = fold(1, {
      stage: 'prune',
      reason: 'wall',
      cleared: [{ index: 4, chars: 9000 }],
      clearedTotal: 3,
      calls: [],
      callsTotal: 0,
    })
    expect(describeFold(cleared)).toBe(
      'Cleared 3 results that were read because the request was larger than its provider takes. The target was reached.',
    )
    expect(describeFold({ ...cleared, outcome: 'rolled_back' })).toBe(
      'Tried to clear 3 results that were read because the request was larger than its provider takes. It was undone: no gain.',
    )
  })
})
