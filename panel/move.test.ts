import { expect, it } from 'vitest'
import { moveWithin } from './move.ts'

const items = ['a', 'b', 'c']

it('steps and stops at either end', () => {
  expect(moveWithin(items, 0, 1)).toBe('b')
  expect(moveWithin(items, 2, 1)).toBe('c')
  expect(moveWithin(items, 1, -10)).toBe('a')
  expect(moveWithin(items, 1, 'last')).toBe('c')
  expect(moveWithin(items, 1, 'first')).toBe('a')
})

it('starts at the end that a step comes from when nothing is chosen', () => {
  expect(moveWithin(items, -1, 1)).toBe('a')
  expect(moveWithin(items, -1, -1)).toBe('c')
  expect(moveWithin([], -1, 1)).toBeUndefined()
})
