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

describe('describeOutcome', () => {
  it('says it in one line', () => {
    expect(describeOutcome(request(foldedDecision(1)))).toBe('Folded 2 entries to fit 64,000')
    expect(describeOutcome(request(refusedDecision(1)))).toBe('Refused: 70,000 is over 64,000')
    expect(describeOutcome(request(decision(1)))).toBe('Sent at about 10,000')
    expect(describeOutcome(request(decision(1), settlement(1, { outcome: 'failed' })))).toBe(
      'Failed at the provider',
    )
  })
})

describe('describeFold', () => {
  it('says why, and whether the target was reached', () => {
    expect(describeFold(fold(1))).toBe(
      'Folded 2 entries (tool calls and results) because the request reached the fold line. The target was reached.',
    )
    expect(describeFold(fold(1, { outcome: 'rolled_back' }))).toContain('It was undone: no gain.')
  })
})
