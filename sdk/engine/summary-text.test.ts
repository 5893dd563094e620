import { describe, expect, it } from 'vitest'
import { readSummary } from './summary-text.ts'

describe('what a summary request brought', () => {
  it('is its text, without the white space around it, bare or as an object', () => {
    expect(readSummary('Work went on.')).toBe('Work went on.')
    expect(readSummary('\n Work went on. \n')).toBe('Work went on.')
    expect(readSummary({ text: ' Work went on.', usage: null })).toBe('Work went on.')
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['an object without a text', { content: 'Work went on.' }],
    ['an object whose text is none', { text: ['Work went on.'] }],
    ['an empty text', ''],
    ['white space', ' \n\t'],
    ['the report of an error', '{"error":{"message":"Overloaded"}}'],
    ['the report of an error behind white space', '\n {"error":{"message":"Overloaded"}}'],
  ])('is no summary where it is %s', (_what, value) => {
    expect(readSummary(value)).toBeNull()
  })
})
