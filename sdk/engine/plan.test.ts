import { describe, expect, it } from 'vitest'
import {
  answerCounts,
  askCounts,
  askSummary,
  asksNothing,
  type Plan,
  runPlan,
  type Wish,
  type WishAnswer,
} from './plan.ts'

const job = {
  foldId: 'f',
  instructions: 'Summarise.',
  opening: 'o',
  history: '#1 user: hello',
  retainedTail: '',
}

function answering(answer: WishAnswer): {
  readonly wishes: Wish[]
  readonly answer: (wish: Wish) => WishAnswer
} {
  const wishes: Wish[] = []
  return {
    wishes,
    answer: (wish) => {
      wishes.push(wish)
      return answer
    },
  }
}

describe('askCounts', () => {
  it('asks for each text and takes the tokens in the order asked', () => {
    const { wishes, answer } = answering({ type: 'counts', tokens: [2, 1] })
    expect(runPlan(askCounts(['ab', 'c']), answer)).toEqual([2, 1])
    expect(wishes).toEqual([{ type: 'needs-counts', texts: ['ab', 'c'] }])
  })

  it('asks for nothing where there is nothing to count', () => {
    expect(runPlan(askCounts([]), asksNothing)).toEqual([])
  })

  it('takes no answer that belongs to something else', () => {
    expect(() => runPlan(askCounts(['a']), answering({ type: 'counts', tokens: [1, 2] }).answer)).toThrow(
      'a plan asked for 1 counts and was answered with 2',
    )
    const summary = { type: 'summary', outcome: { type: 'withheld' } } as const
    expect(() => runPlan(askCounts(['a']), answering(summary).answer)).toThrow(
      'a plan asked for counts and was answered with a summary',
    )
  })
})

describe('askSummary', () => {
  it('asks with the job and gives what became of it', () => {
    const outcome = { type: 'failed', usage: null } as const
    const { wishes, answer } = answering({ type: 'summary', outcome })
    expect(runPlan(askSummary(job), answer)).toBe(outcome)
    expect(wishes).toEqual([{ type: 'needs-summary', job }])
  })

  it('takes no counts for a summary', () => {
    expect(() => runPlan(askSummary(job), answering({ type: 'counts', tokens: [] }).answer)).toThrow(
      'a plan asked for a summary and was answered with counts',
    )
  })
})

describe('runPlan', () => {
  it('goes on at once where a plan may pause', () => {
    function* pausing(): Plan<readonly string[]> {
      const first = yield { type: 'may-pause' }
      const second = yield { type: 'needs-counts', texts: ['a'] }
      return [first.type, second.type]
    }
    const { wishes, answer } = answering({ type: 'counts', tokens: [1] })
    expect(runPlan(pausing(), answer)).toEqual(['resumed', 'counts'])
    expect(wishes).toHaveLength(1)
  })
})

describe('answers at once', () => {
  it('count by a function, and withhold a summary', () => {
    const answer = answerCounts((texts) => texts.map((text) => text.length))
    expect(answer({ type: 'needs-counts', texts: ['ab', ''] })).toEqual({ type: 'counts', tokens: [2, 0] })
    expect(answer({ type: 'needs-summary', job })).toEqual({
      type: 'summary',
      outcome: { type: 'withheld' },
    })
  })

  it('name the wish of a plan that should have none', () => {
    expect(() => runPlan(askSummary(job), asksNothing)).toThrow(
      'should ask for nothing came with needs-summary',
    )
  })
})
