import { describe, expect, it } from 'vitest'
import { madeDecideInput } from '../testing/made-decide-input.ts'
import { ask, lineOfMessages } from '../testing/stage-context.ts'
import { type DecidedRequest, decideRequest } from './decide.ts'
import type { DecideInput } from './decide-input.ts'
import { answerCounts, runPlan, type SummaryOutcome } from './plan.ts'
import { policyInForce } from './policy.ts'
import type { RepairFacts, RepairStages } from './repair.ts'
import type { Scale } from './scale.ts'
import type { Stage, StageContext } from './stages/stage.ts'

const messages = Array.from({ length: 10 }, (_, place) => ask(`${place}`.repeat(1000)))

/** Takes so many entries behind the first. */
const dropping = (
  name: Stage['name'],
  count: number,
  seen: StageContext[],
  summary?: SummaryOutcome,
): Stage => ({
  name,
  keptTail: null,
  // biome-ignore lint/correctness/useYield: nothing is asked for.
  *propose(context) {
    seen.push(context)
    const { view } = context.line
    return {
      view: view.toSpliced(1, count),
      added: [],
      taken: view.slice(1, 1 + count),
      ...(summary ? { summary } : {}),
    }
  },
})

const written = (scale: Scale): SummaryOutcome => ({
  type: 'written',
  text: 'So far.',
  source: 'model',
  usage: null,
  scale,
})

interface Decided extends DecidedRequest {
  /** What the summary was given. */
  readonly seen: readonly StageContext[]
}

/** Decides ten messages of a thousand characters, at a token a character: clearing takes six, a summary eight. */
function decide(
  repair: Partial<RepairFacts>,
  options: Partial<DecideInput> = {},
  { cleared = 6, learned }: { readonly cleared?: number; readonly learned?: Scale } = {},
): Decided {
  const seen: StageContext[] = []
  const stages: RepairStages = {
    prune: dropping('prune', cleared, []),
    summary: {
      ...dropping('summary', 8, seen, learned ? written(learned) : undefined),
      takes: ({ line }) => new Set(line.view.slice(1, 9)),
    },
  }
  const input = madeDecideInput(lineOfMessages(messages), {
    repair: { window: null, readerWindow: null, asked: null, stages, ...repair },
    ceiling: { type: 'ceiling', ceiling: null, source: 'none' },
    summaries: 'available',
    ...options,
  })
  const decided = runPlan(
    decideRequest(input),
    answerCounts((texts) => texts.map((text) => text.length)),
  )
  return { ...decided, seen }
}

const landedStages = ({ folds }: DecidedRequest) =>
  folds.flatMap(({ stage, outcome }) => (outcome === 'landed' ? [stage] : []))

const repairsOf = ({ facts }: DecidedRequest) => facts.trace.filter(({ type }) => type === 'repair')

const whole = decide({}).size.counted

/** The last report was of all but the newest message, and came to what was counted. */
const anchor = {
  model: '',
  reported: whole - 1000,
  counted: whole - 1000,
  items: decide({}).items.slice(0, -1),
}

const overflow = { trigger: 'overflow', limit: null, reported: null } as const

describe('the arm of a repair', () => {
  it('[R315, R316, R318, R331] is clearing where that is enough, by a report or by a count', () => {
    const reported = decide({ window: whole - 1 }, { anchor })
    expect(reported.facts).toMatchObject({ method: 'anchored', action: 'repair' })
    expect(repairsOf(reported)).toMatchObject([{ trigger: 'usage', limit: whole - 1, outcome: 'repairs' }])
    expect(landedStages(reported)).toEqual(['prune'])
    const counted = decide({ window: whole - 1 })
    expect(repairsOf(counted)).toMatchObject([{ trigger: 'wall' }])
    expect(landedStages(counted)).toEqual(['prune'])
  })

  it('[R331, R363] is a summary alone where clearing is not enough by itself', () => {
    const decided = decide({ window: whole - 1 }, {}, { cleared: 1 })
    expect(decided.folds.map(({ stage, outcome }) => [stage, outcome])).toEqual([
      ['prune', 'rolled_back'],
      ['summary', 'landed'],
    ])
  })

  it('[R323, R337] is never clearing after a rejection, nor for a person', () => {
    const rejected = decide({ asked: { ...overflow, limit: whole - 1 } })
    expect(rejected.folds.map(({ stage }) => stage)).toEqual(['summary'])
    const asked = decide({ window: whole - 1, asked: { trigger: 'manual' } })
    expect(asked.folds.map(({ stage }) => stage)).toEqual(['summary'])
  })

  it('[R318, R332] of too many bytes is the one that is wanted, enough or not', () => {
    const arm = (wanted: 'prune' | 'summary') =>
      decide({ asked: { trigger: 'wall', arm: wanted } }, {}, { cleared: 1 })
    expect(arm('prune').folds.map(({ stage, outcome }) => [stage, outcome])).toEqual([['prune', 'landed']])
    expect(arm('summary').folds.map(({ stage }) => stage)).toEqual(['summary'])
  })

  it('is none where nobody could write a summary if it came to that, and the app is told', () => {
    const decided = decide({ window: whole - 1 }, { summaries: 'missing' })
    expect(decided).toMatchObject({ folds: [], changed: false, refusal: null })
    expect(decided.facts).toMatchObject({ action: 'pass', warnings: [{ code: 'summary_unavailable' }] })
  })
})

describe('a round that is not made to fit', () => {
  it('[R319, R320] is one that was only estimated', () => {
    const decided = decide({ window: whole - 1 }, { exact: false })
    expect(decided.facts).toMatchObject({ method: 'estimate', action: 'pass' })
    expect(repairsOf(decided)).toEqual([])
  })

  it('[R54, R344] is one that the policy or its run keeps as it is, and says which', () => {
    const off = decide({ asked: overflow }, { policy: policyInForce({ compaction: { mode: 'off' } }) })
    expect(off).toMatchObject({ folds: [], changed: false })
    expect(repairsOf(off)).toMatchObject([{ outcome: 'off' }])
    const bounded = decide({ asked: overflow }, { run: 'bounded' })
    expect(bounded).toMatchObject({ folds: [], changed: false })
    expect(repairsOf(bounded)).toMatchObject([{ outcome: 'blocked' }])
    const before = decide({ asked: overflow, stages: null })
    expect(before).toMatchObject({ folds: [], changed: false })
    expect(repairsOf(before)).toMatchObject([{ outcome: 'repaired_before' }])
  })

  it('[R51, R323] is one that is refused under its ceiling, unless a person asks for it', () => {
    const ceiling = { type: 'ceiling', ceiling: whole - 1, source: 'policy' } as const
    const refused = decide({ window: whole - 1 }, { ceiling })
    expect(refused).toMatchObject({ refusal: 'nothing_to_fold', folds: [] })
    expect(repairsOf(refused)).toEqual([])
    const asked = decide({ asked: { trigger: 'manual' } }, { ceiling })
    expect(asked.refusal).toBeNull()
    expect(landedStages(asked)).toEqual(['summary'])
  })
})

describe('the least that can be reported of a request', () => {
  const leastOf = (options: Partial<DecideInput>, repair: Partial<RepairFacts> = {}) =>
    decide(repair, options).leastReported

  it('[R324] is what was reported of the one that it extends, less what the app took away since', () => {
    expect(leastOf({ anchor })).toBe(anchor.reported)
    const larger = { ...anchor, counted: whole + 501 }
    expect(leastOf({ anchor: larger })).toBe(anchor.reported - 501)
    expect(leastOf({ anchor: larger, scale: { reported: 3, counted: 2 } })).toBe(anchor.reported - 752)
  })

  it('[R324] is not known where nothing was reported, some may be dropped, or less is sent', () => {
    expect(leastOf({})).toBeNull()
    expect(leastOf({ anchor: { ...anchor, model: 'another' } })).toBeNull()
    expect(leastOf({ anchor, bindsReasoning: true })).toBeNull()
    expect(leastOf({ anchor }, { window: whole - 1 })).toBeNull()
  })
})

describe('what a rejection says of the request', () => {
  it('is what the request is measured by: it came to no less than was said of it', () => {
    const said = { ...overflow, limit: 2 * whole, reported: 3 * whole }
    for (const [asked, times] of [
      [said, 3],
      [{ ...said, reported: null }, 2],
      [{ ...said, limit: whole - 1, reported: whole - 1 }, 1],
    ] as const) {
      const decided = decide({ asked })
      expect(decided).toMatchObject({ countedBefore: whole, facts: { before: times * whole } })
      expect(repairsOf(decided)).toMatchObject([{ estimate: times * whole, limit: asked.limit }])
      expect(decided.folds).toMatchObject([{ before: times * whole, after: times * decided.size.counted }])
    }
  })

  it('[R107, R321] is not forgotten where the summary itself teaches another scale', () => {
    const decided = decide(
      { asked: { ...overflow, limit: 2 * whole, reported: 3 * whole } },
      {},
      { learned: { reported: 5, counted: 4 } },
    )
    expect(decided.scale).toEqual({ reported: 5, counted: 4 })
    expect(decided.facts.after).toBe(3 * decided.size.counted)
  })
})

describe('a summary that teaches another scale', () => {
  it('[R107] is measured by it, and so is what it is compared with, but not the request as it came', () => {
    const learned = { reported: 5, counted: 4 }
    const { facts, folds, size } = decide({ asked: { trigger: 'manual' } }, {}, { learned })
    expect(facts).toMatchObject({ before: whole, after: (size.counted * 5) / 4, scale: 1.25 })
    expect(folds).toMatchObject([{ before: (whole * 5) / 4, after: (size.counted * 5) / 4 }])
  })
})

describe('the reader of a summary', () => {
  /** Tokens that a request for it may come to. */
  const readerOf = (repair: Partial<RepairFacts>, options: Partial<DecideInput> = {}) =>
    decide(repair, options).seen.map(({ readerCounted }) => readerCounted)

  it('[R360] takes a share of its window, or of what the round may come to', () => {
    const asked = { trigger: 'manual' } as const
    expect(readerOf({ asked })).toEqual([undefined])
    expect(readerOf({ asked, window: 5000 })).toEqual([4000])
    expect(readerOf({ asked, window: 5000, readerWindow: 50_000 })).toEqual([40_000])
    const ceiling = { type: 'ceiling', ceiling: 50_000, source: 'policy' } as const
    expect(readerOf({ asked, window: 90_000 }, { ceiling })).toEqual([50_000])
  })

  it('[R329, R360] takes well below what was rejected, unless it is a model of its own', () => {
    expect(readerOf({ asked: { ...overflow, limit: whole } })).toEqual([Math.floor(whole * 0.8)])
    expect(readerOf({ asked: overflow, window: whole })).toEqual([Math.floor(whole * 0.8)])
    expect(readerOf({ asked: overflow })).toEqual([Math.floor(whole * 0.6)])
    expect(readerOf({ asked: overflow, readerWindow: 50_000 })).toEqual([40_000])
  })
})
