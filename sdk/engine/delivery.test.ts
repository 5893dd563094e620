import { describe, expect, it } from 'vitest'
import { lineOf } from '../testing/toy-fold.ts'
import { deliveredByPosition } from './delivery.ts'

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
