import { describe, expect, it } from 'vitest'
import type { SummaryJob } from './engine/plan.ts'
import { ENVELOPE_BYTES, summaryEnvelope } from './summary-envelope.ts'
import { seededRandom } from './testing/random.ts'
import { seeds } from './testing/seeds.ts'

const jobOf = (changed: Partial<SummaryJob>): SummaryJob => ({
  foldId: 'q/1',
  requestId: 'q',
  instructions: 'Write a record.',
  opening: 'The tools the agent has: read',
  history: '',
  retainedTail: '',
  ...changed,
})

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

const LEAD = 'The tools the agent has: read\n\n'

describe('what an app function is given to summarise', () => {
  it('[R339, R393] is the history, the retained tail, and the address', () => {
    const job = jobOf({ history: 'User: hello', retainedTail: 'User: and now?' })
    expect(summaryEnvelope('chat', job)).toEqual({
      branchId: 'chat',
      requestId: 'q',
      foldId: 'q/1',
      instructions: 'Write a record.',
      history: `${LEAD}User: hello`,
      retainedTail: 'User: and now?',
    })
    const { requestId: _, ...asked } = job
    expect(summaryEnvelope('chat', asked)).not.toHaveProperty('requestId')
  })

  it('[R340] is whole to the last of 65,536 bytes, address included', () => {
    const free = ENVELOPE_BYTES - bytesOf(summaryEnvelope('chat', jobOf({})))
    const whole = summaryEnvelope('chat', jobOf({ history: 'x'.repeat(free) }))
    expect(bytesOf(whole)).toBe(65_536)
    expect(whole.history).toBe(LEAD + 'x'.repeat(free))
    const over = summaryEnvelope('chat', jobOf({ history: `y${'x'.repeat(free)}` }))
    expect(over.history).toMatch(
      /^The tools .*\n\n\[\.\.\. \d+ earlier character\(s\) elided to fit \.\.\.\]\nx+$/,
    )
    const longer = summaryEnvelope('c'.repeat(200), jobOf({ history: 'x'.repeat(free) }))
    expect(bytesOf(longer)).toBeLessThanOrEqual(65_536)
    expect(longer.history).toContain('elided')
  })

  it('[R340] loses the oldest of the history first, and says how much', () => {
    const history = Array.from({ length: 20_000 }, (_, line) => `line ${line}`).join('\n')
    const retainedTail = 'z'.repeat(20_000)
    const made = summaryEnvelope('chat', jobOf({ history, retainedTail }))
    expect(made.retainedTail).toBe(retainedTail)
    const kept = made.history.split('\n').slice(3).join('\n')
    expect(history.endsWith(kept)).toBe(true)
    expect(made.history).toContain(
      `[... ${history.length - kept.length} earlier character(s) elided to fit ...]`,
    )
    expect(bytesOf(made)).toBeGreaterThan(65_536 - 16)
  })

  it('[R340] loses of the tail only where the history is gone', () => {
    const retainedTail = `${'n'.repeat(80_000)}newest`
    const made = summaryEnvelope('chat', jobOf({ history: 'o'.repeat(100), retainedTail }))
    expect(made.history).toBe(`${LEAD}[... 100 earlier character(s) elided to fit ...]\n`)
    expect(made.retainedTail).toMatch(
      /^\[\.\.\. \d+ earlier character\(s\) elided to fit \.\.\.\]\nn+newest$/,
    )
    expect(bytesOf(made)).toBeGreaterThan(65_536 - 16)
    expect(bytesOf(made)).toBeLessThanOrEqual(65_536)
    // It would take more to say that it is gone.
    const whole = summaryEnvelope('chat', jobOf({ history: 'old', retainedTail }))
    expect(whole.history).toBe(`${LEAD}old`)
    expect(bytesOf(whole)).toBeGreaterThan(65_536 - 16)
  })

  it('[R340] leaves out no more than it must, and counts characters', () => {
    const made = summaryEnvelope('chat', jobOf({ history: 'x'.repeat(99_999) }))
    expect(bytesOf(made)).toBe(65_536)
    const { history } = summaryEnvelope('chat', jobOf({ history: '😀'.repeat(70_000) }))
    const [, elided = ''] = /\[\.\.\. (\d+) earlier/.exec(history) ?? []
    expect(Number(elided) + (history.match(/😀/gu) ?? []).length).toBe(70_000)
  })

  it('[R340] counts bytes as JSON has them, and parts no character', () => {
    for (const unit of ['ß', '語', '😀', '"', '\n', '\u0001', '\\'])
      for (const offset of ['', 'a', 'ab', 'abc']) {
        const made = summaryEnvelope('chat', jobOf({ history: offset + unit.repeat(70_000) }))
        expect(bytesOf(made)).toBeLessThanOrEqual(65_536)
        expect(bytesOf(made)).toBeGreaterThan(65_536 - 16)
        expect(new TextDecoder().decode(new TextEncoder().encode(made.history))).toBe(made.history)
      }
  })

  it('keeps the names of the tools, unless they are most of it', () => {
    const names = (count: number) =>
      `The tools the agent has: ${Array.from({ length: count }, (_, tool) => `tool${tool}`).join(', ')}`
    const few = summaryEnvelope('chat', jobOf({ opening: names(1000), history: 'x'.repeat(100_000) }))
    expect(few.history.startsWith(names(1000))).toBe(true)
    const half = summaryEnvelope('chat', jobOf({ opening: names(4000), history: 'x'.repeat(100_000) }))
    expect(half.history).toMatch(/^\[\.\.\. \d+ earlier character\(s\) elided to fit \.\.\.\]\nx+$/)
    const many = summaryEnvelope('chat', jobOf({ opening: names(20_000), history: 'User: hello' }))
    expect(many.history).toMatch(/^\[\.\.\. \d+ earlier.*\n.*\n\nUser: hello$/)
    expect(bytesOf(many)).toBeLessThanOrEqual(65_536)
  })

  it.each(seeds(40))('[R340] is within the bound whatever it is made of, seed %i', (seed) => {
    const random = seededRandom(seed)
    const text = (): string =>
      Array.from({ length: random.integer(0, 400) }, () =>
        random.pick(['word ', 'ß', '語'.repeat(90), '😀'.repeat(50), '\n"', '\ud800', 'x'.repeat(900)]),
      ).join('')
    const job = jobOf({ history: text(), retainedTail: text() })
    const made = summaryEnvelope('chat', job)
    expect(bytesOf(made)).toBeLessThanOrEqual(65_536)
    if (bytesOf({ ...made, history: LEAD + job.history, retainedTail: job.retainedTail }) <= 65_536)
      expect(made).toMatchObject({ history: LEAD + job.history, retainedTail: job.retainedTail })
    else expect(bytesOf(made)).toBeGreaterThan(65_536 - 32)
    if (made.retainedTail !== job.retainedTail)
      expect(made.history.replace(LEAD, '')).toMatch(/^(\[.*\]\n|.{0,50})$/s)
  })
})
