import { describe, expect, it } from 'vitest'
import type { ContextDecision, FoldRecord, TraceStep } from '../engine/journal.ts'
import { openTestBranch } from '../testing/open-branch.ts'
import { type PlayedRequest, playAtRandom, playRequest } from '../testing/play-at-random.ts'
import { seededRandom } from '../testing/random.ts'
import { randomConversation } from '../testing/random-conversation.ts'
import { randomSetting } from '../testing/random-setting.ts'
import { scriptTokenCounter } from '../testing/script-token-counter.ts'
import { seeds } from '../testing/seeds.ts'
import { loadTokenizer } from '../tokenizer.ts'

/** What must be true of each fold: what it says it did, what it did, and that it stays done. */

const counter = await scriptTokenCounter()
const { countRequest } = await loadTokenizer()

type StageStep = Extract<TraceStep, { type: 'stage' }>

/** The passes of a decision, in the order in which they were tried, each with the size that it began with. */
function passes({
  before,
  trace,
}: ContextDecision): readonly { readonly step: StageStep; readonly from: number }[] {
  let from = before
  return trace.flatMap((step) => {
    // A fold that is resumed begins with the request as it would leave, its notice and marks included.
    if (step.type === 'resumed') from = step.estimate
    if (step.type !== 'stage' || (step.outcome !== 'landed' && step.outcome !== 'rolled_back')) return []
    const pass = { step, from }
    if (step.outcome === 'landed') from = step.after
    return [pass]
  })
}

function indexesOf({ replaced }: FoldRecord): readonly number[] {
  return replaced.flatMap(({ start, end }) =>
    Array.from({ length: end - start }, (_, position) => start + position),
  )
}

function expectRecordsToAgree({ decision, folds }: PlayedRequest): void {
  const steps = passes(decision)
  expect(folds).toHaveLength(steps.length)
  let size = decision.before
  for (const [position, { step, from }] of steps.entries()) {
    const fold = folds[position]
    if (fold === undefined) continue
    const { stage, keptTail, before, after, outcome, requestId, ceiling } = fold
    expect({ stage, keptTail, before, after, outcome }).toEqual({
      stage: step.stage,
      keptTail: step.keptTail,
      before: step.before,
      after: step.after,
      outcome: step.outcome,
    })
    expect({ requestId, ceiling }).toEqual({ requestId: decision.requestId, ceiling: decision.ceiling })
    expectListsToAgree(fold, step)
    // Each pass starts where the last one that landed ended.
    expect(before).toBe(from)
    size = before
    if (outcome === 'landed') {
      expect(after).toBeLessThan(before)
      size = after
    } else expect(after).toBeGreaterThanOrEqual(before)
    expect(fold.targetReached).toBe(size <= (decision.target ?? 0))
  }
  const landed = folds.filter(({ outcome }) => outcome === 'landed')
  expect(decision.folded).toEqual(landed.flatMap(indexesOf))
  expect(decision.action === 'fold').toBe(landed.length > 0 && decision.sent)
  if (!decision.trace.some(({ type }) => type === 'refused' || type === 'resumed') && landed.length > 0)
    expect(decision.after).toBeGreaterThanOrEqual(size)
}

function expectListsToAgree(fold: FoldRecord, step: StageStep): void {
  const { stage, calls, callsTotal, clipped = [], clippedTotal = 0 } = fold
  const isClip = stage === 'clip'
  const taken = indexesOf(fold)
  expect(fold.messagesFolded).toBe(taken.length)
  expect([...taken]).toEqual([...new Set(taken)].sort((a, b) => a - b))
  expect(calls).toHaveLength(Math.min(50, callsTotal))
  expect(clipped).toHaveLength(Math.min(50, clippedTotal))
  expect(isClip).toBe(fold.clipped !== undefined)
  if (isClip) {
    expect({ tail: fold.keptTail, source: fold.summarySource, taken }).toEqual({
      tail: null,
      source: null,
      taken: [],
    })
    for (const { index, chars, kept } of clipped) {
      expect(kept).toBeLessThan(chars)
      expect(step.indexes).toContain(index)
    }
  } else expect(step.indexes).toEqual(taken)
}

describe('a fold', () => {
  it.each(seeds(40))(
    '[R96, R106, R298, R299, R300, R301] lands only where it lowers the estimate, and is recorded as it was traced (seed %i)',
    async (seed) => {
      const random = seededRandom(seed)
      const { conversation } = randomConversation(seed)
      const setting = randomSetting(random, countRequest(conversation.request).total)
      const test = await openTestBranch({ counter, ...setting })
      for await (const played of playAtRandom(test, conversation, random)) expectRecordsToAgree(played)
      const { folds } = await test.branch.journal()
      expect(folds.map(({ id }) => id)).toEqual([...new Set(folds.map(({ id }) => id))])
    },
    60_000,
  )

  it.each(seeds(30))(
    '[R97, R181] that reached its target stands: the same list again is the same request (seed %i)',
    async (seed) => {
      const random = seededRandom(seed)
      const { conversation } = randomConversation(seed)
      const setting = randomSetting(random, countRequest(conversation.request).total)
      const test = await openTestBranch({ counter, ...setting })
      for await (const { incoming, prepared, folds } of playAtRandom(test, conversation, random)) {
        if (prepared === null || folds.at(-1)?.targetReached !== true) continue
        await prepared.settle({ usage: null })
        const again = await playRequest(test, incoming)
        expect(again.folds).toEqual([])
        expect(again.decision.attempt).toBe(1)
        expect(JSON.stringify(again.prepared?.request)).toBe(JSON.stringify(prepared.request))
        expect(again.decision.after).toBe(prepared.decision.after)
      }
    },
    60_000,
  )
})
