import { expect, it } from 'vitest'
import {
  formatCount,
  formatDelta,
  formatDuration,
  formatRanges,
  formatShortTokens,
  formatTokens,
} from './format.ts'

it('groups tokens and rounds an estimate up, so that just over a ceiling never reads as equal to it', () => {
  expect(formatTokens(41_200)).toBe('41,200')
  expect(formatTokens(64_000.2)).toBe('64,001')
})

it('shows what is unknown as an en dash and never as zero', () => {
  expect(formatTokens(null)).toBe('–')
  expect(formatTokens(undefined)).toBe('–')
  expect(formatTokens(0)).toBe('0')
  expect(formatDuration(undefined)).toBe('–')
})

it('gives every change its sign', () => {
  expect(formatDelta(-9_800)).toBe('−9,800')
  expect(formatDelta(9_800)).toBe('+9,800')
  expect(formatDelta(0)).toBe('±0')
})

it('shortens tokens for an axis', () => {
  expect([0, 999, 41_200, 128_000, 1_000_000].map(formatShortTokens)).toEqual([
    '0',
    '999',
    '41.2k',
    '128k',
    '1M',
  ])
})

it('counts one and many', () => {
  expect(formatCount(1, 'entry', 'entries')).toBe('1 entry')
  expect(formatCount(0, 'call')).toBe('0 calls')
  expect(formatCount(1_200, 'entry', 'entries')).toBe('1,200 entries')
})

it('writes neighbouring indexes as ranges and says how many it left out', () => {
  expect(formatRanges([6, 4, 5, 9], 6)).toBe('4–6, 9')
  expect(formatRanges([1, 3, 5, 7], 2)).toBe('1, 3 and 2 more')
  expect(formatRanges([], 6)).toBe('')
})

it('gives durations in the unit that reads best', () => {
  expect(formatDuration(87.4)).toBe('87 ms')
  expect(formatDuration(1_240)).toBe('1.2 s')
})
