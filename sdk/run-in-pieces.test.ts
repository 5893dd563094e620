import { describe, expect, it } from 'vitest'
import { mayPause } from './engine/pace.ts'
import { askCounts, asksNothing, type Plan } from './engine/plan.ts'
import { runInPieces } from './run-in-pieces.ts'

function* inThreePieces(done: string[]): Plan<readonly number[]> {
  done.push('first')
  yield mayPause
  const tokens = yield* askCounts(['a', 'bc'])
  done.push('second')
  yield mayPause
  done.push('third')
  return tokens
}

describe('running a plan in pieces', () => {
  it('breathes where the plan may pause, and answers what it asks for', async () => {
    const done: string[] = []
    const tokens = await runInPieces(inThreePieces(done), {
      breathe: async () => void done.push('breath'),
      answer: (wish) => {
        if (wish.type !== 'needs-counts') throw new TypeError(wish.type)
        return { type: 'counts', tokens: wish.texts.map((text) => text.length) }
      },
    })
    expect(tokens).toEqual([1, 2])
    expect(done).toEqual(['first', 'breath', 'second', 'breath', 'third'])
  })

  it('goes no further once the signal is found aborted after a breath', async () => {
    const controller = new AbortController()
    const done: string[] = []
    const running = runInPieces(inThreePieces(done), {
      breathe: async () => controller.abort(),
      signal: controller.signal,
      answer: asksNothing,
    })
    await expect(running).rejects.toMatchObject({ code: 'aborted' })
    expect(done).toEqual(['first'])
  })
})
