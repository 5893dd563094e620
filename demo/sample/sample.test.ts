import { describe, expect, it } from 'vitest'
import { parseTranscript } from '../../sdk/index.ts'
import { letters } from './letters.ts'
import { papers } from './papers.ts'
import { passagesOf } from './passages.ts'
import { sampleTranscript } from './sample.ts'
import { daysOf, troubledDays, year } from './year.ts'

const { messages, rounds, format } = parseTranscript(sampleTranscript())
const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []))
const results = blocks.filter(({ type }) => type === 'tool_result')

describe('the sample conversation', () => {
  it('is the same every time', () => {
    expect(sampleTranscript()).toBe(sampleTranscript())
  })

  it('is long enough to be folded several times', () => {
    expect(format).toBe('anthropic')
    expect(rounds.length).toBeGreaterThanOrEqual(60)
    expect(sampleTranscript().length).toBeGreaterThan(300_000)
  })

  it('answers every call in the message after it', () => {
    for (const [position, { role, content }] of messages.entries()) {
      if (role !== 'assistant' || !Array.isArray(content)) continue
      const calls = content.filter(({ type }) => type === 'tool_use').map(({ id }) => id)
      const next = messages[position + 1]?.content
      const answers = Array.isArray(next) ? next.filter(({ type }) => type === 'tool_result') : []
      expect(answers.map(({ tool_use_id }) => tool_use_id)).toEqual(calls)
    }
  })

  it('holds parallel calls, a failed one, long results and letters of other scripts', () => {
    const sizes = results.map(({ content }) => String(content).length)
    expect(Math.max(...sizes)).toBeGreaterThan(12_000)
    expect(results.filter(({ is_error }) => is_error === true)).toHaveLength(1)
    expect(messages.some(({ content }) => Array.isArray(content) && content.length > 2)).toBe(true)
    expect(JSON.stringify(messages)).toMatch(/海星丸.*👍.*gelée/s)
  })
})

describe('the archive', () => {
  const paper = (id: string) => [...papers, ...letters].find((found) => found.id === id)?.text ?? ''

  it('tells of the same year in its letters as in its log', () => {
    const cold = troubledDays().filter(({ trouble }) => trouble.cause === 'cold')
    const oil = troubledDays().filter(({ trouble }) => trouble.cause === 'oil')
    expect(cold.length + oil.length).toBe(16)
    expect(paper('inspection-1911-02-20')).toContain('eight nights')
    expect(cold.filter(({ month, day }) => month === 0 || (month === 1 && day < 20))).toHaveLength(8)
    expect(cold.slice(0, 3).map(({ day }) => day)).toEqual([9, 15, 16])
    expect(oil.map(({ day }) => day)).toEqual([12, 14, 15])
    expect(
      daysOf(11)
        .filter(({ low }) => low <= -11)
        .map(({ day }) => day),
    ).toEqual([16])
    const afterFitting = year.filter(({ month, day }) => month > 2 || (month === 2 && day >= 29))
    expect(Math.min(...afterFitting.filter(({ month }) => month < 6).map(({ low }) => low))).toBe(-10)
  })

  it('has the steamer pass in the minutes without a light', () => {
    const [found] = passagesOf(3).filter(({ ship }) => ship.startsWith('S/S Havørn'))
    expect(found?.day).toMatchObject({ day: 15, wind: { from: 'N.W.', force: 10 } })
    expect(found?.day.trouble).toMatchObject({ type: 'dark', from: 25 * 60 + 6, to: 25 * 60 + 44 })
    expect(paper('letter-1911-11-17')).toContain('six minutes past one')
  })
})
