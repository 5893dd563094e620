import { expect, it } from 'vitest'
import { roundTicks } from './chart-ticks.ts'

it('spaces round numbers evenly and gives no more than it was asked for', () => {
  expect(roundTicks(0, 69_900, 4)).toEqual([0, 20_000, 40_000, 60_000])
  expect(roundTicks(0, 91_000, 4)).toEqual([0, 25_000, 50_000, 75_000])
  expect(roundTicks(781, 900, 8)).toEqual([800, 820, 840, 860, 880, 900])
})

it('gives whole numbers for a short range', () => {
  expect(roundTicks(1, 3, 8)).toEqual([1, 2, 3])
  expect(roundTicks(1, 1, 8)).toEqual([1])
})
