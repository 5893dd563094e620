import { describe, expect, it } from 'vitest'
import { lineOf } from '../testing/toy-fold.ts'
import { afterCompletion, deliveredByPosition } from './delivery.ts'
import type { Line } from './record.ts'

describe('[R86] delivery that nobody recorded', () => {
  it.each([
    ['everything before the newest answer', 'suacracru', [0, 1, 2, 3, 4]],
    ['nothing behind it, not its own calls and results either', 'suacr', [0, 1]],
    ['nothing where there is no answer', 'suu', []],
    ['nothing where the only answer comes first', 'acru', []],
    ['nothing of nothing', '', []],
  ])('is of %s', (_what, letters, delivered) => {
    expect([...deliveredByPosition(lineOf(letters).record)]).toEqual(delivered)
  })
})

describe('what a completed request has made known as read', () => {
  const sent: Line = { ...lineOf('uacr', { read: 0 }), view: [0, 2, 3], recovered: new Set([2, 3]) }
  const now: Line = { ...sent, delivered: new Set([3]), carried: [0, 1, 2], recovered: new Set([2, 3]) }

  it('[R81] is what it held and the line still counts as carried', () => {
    expect([...afterCompletion(now, sent).delivered]).toEqual([3, 0, 2])
  })

  it('[R149] is clipped again from now on, but for what was restored or read back while it was on its way', () => {
    expect([...afterCompletion(now, sent).recovered]).toEqual([3])
    const later = { ...now, recovered: new Set([1, 2, 3]) }
    expect([...afterCompletion(later, sent).recovered]).toEqual([1, 3])
  })

  it('[R86] is nothing more where a later list held an answer already', () => {
    const answered = lineOf('uacra', { read: 0 })
    const { delivered, recovered } = now
    expect(afterCompletion({ ...now, record: answered.record }, sent)).toEqual({ delivered, recovered })
    const asked = lineOf('uacru', { read: 0 })
    expect([...afterCompletion({ ...now, record: asked.record }, sent).delivered]).toEqual([3, 0, 2])
  })
})
