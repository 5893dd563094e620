import { expect, it } from 'vitest'
import { bytesText } from './bytes-text.ts'

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [12_345, '12.3 kB'],
  [50_200_000, '50.2 MB'],
  [1_000_000_000, '1 GB'],
  [5e13, '50,000 GB'],
])('says %d bytes as %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text)
})
