import { describe, expect, it } from 'vitest'
import { madeNote, withCopy } from '../testing/made-entries.ts'
import { ask, call, lineOfMessages, runStage, say, stageContext } from '../testing/stage-context.ts'
import { anthropic } from '../wire/anthropic/index.ts'
import { utf8Bytes } from './byte-bound.ts'
import type { WireFormat } from './format.ts'
import type { StageContext } from './stages/stage.ts'
import { readForSummary, type SummaryReading, summaryText } from './summary-request.ts'

function read(messages: readonly object[], options: Partial<StageContext> = {}, wire?: WireFormat) {
  const from = lineOfMessages(messages, wire)
  const context = stageContext(from, { ...(wire ? { wire } : {}), ...options })
  return runStage(
    readForSummary(
      context,
      context.line.view.flatMap((index) => context.line.record[index] ?? []),
    ),
  )
}

/** All that the writer reads; empty where it is not asked. */
function textOf({ job }: SummaryReading): string {
  return job === null ? '' : summaryText(job)
}

function historyOf(
  messages: readonly object[],
  options: Partial<StageContext> = {},
  wire?: WireFormat,
): string {
  return textOf(read(messages, options, wire))
}

const secret = `SECRET ${'x'.repeat(3000)} MIDDLE ${'y'.repeat(3000)}`

describe('what a summary request reads', () => {
  const messages = [
    ask('Find the key, please.'),
    ...call(
      { id: 'a', name: 'read_file', args: { path: 'src/keys.ts', lines: 'all of them' }, result: secret },
      { id: 'b', name: 'grep', args: { pattern: 'key' }, result: 'é: 3' },
    ),
    say('It is in the file.\n\n<b>Really</b>.'),
  ]

  it('[R351, R394] opens with the declared tools, by the names that the model calls', () => {
    const tools = ['read_file', 'grep', 'read_file'].map((name) => ({ name, readsResults: false }))
    expect(historyOf(messages, { tools })).toMatch(/^The tools the agent has: read_file, grep\n\n/)
    expect(historyOf(messages)).toMatch(/^The tools the agent has: none\n\n/)
  })

  it('[R156, R352, R395] then the span alone: words as they are, results as pointers, never their bodies', () => {
    expect(historyOf(messages)).toBe(
      [
        'The tools the agent has: none',
        [
          'User: Find the key, please.',
          `Tool read_file (completed, ok): path="src/keys.ts", lines="all of them" → ${secret.length} bytes, not carried; re-read it if needed`,
          'Tool grep (completed, ok): pattern="key" → 5 bytes, not carried; re-read it if needed',
        ].join('\n'),
        'Assistant: It is in the file.\n\n<b>Really</b>.',
      ].join('\n\n'),
    )
  })

  it('[R160] shortens no words, whatever the bound on results', () => {
    const long = 'word '.repeat(2000).trim()
    const history = historyOf([ask(long), say(long)], { rules: { contextTool: null, maxChars: 1024 } })
    expect(history).toContain(`User: ${long}`)
    expect(history).toContain(`Assistant: ${long}`)
  })

  it('[R353] says what became of each call, and keeps the error that the model saw', () => {
    const history = historyOf([
      ...call(
        { id: 'a', name: 'one', result: 'Error: no such file\n  at line 4' },
        { id: 'b', name: 'two', result: '{"success":false,"error":"too large"}' },
        { id: 'c', name: 'three' },
        { id: 'd', name: 'four', result: '{"error":null,"rows":[1]}' },
      ),
      ask('And?'),
    ])
    expect(history).toContain(
      'Tool one (completed, error):  → 31 bytes, not carried; re-read it if needed\nError: no such file\n  at line 4\n',
    )
    expect(history).toMatch(/Tool two \(completed, error\): .*\nsuccess: false\nerror: too large\n/)
    expect(history).toContain(
      'Tool three (unanswered, no result):  → 0 bytes, not carried; re-read it if needed\n',
    )
    expect(history).toMatch(/Tool four \(completed, ok\): [^\n]*\n\nUser: And\?$/)
    expect(history).not.toContain('rows')
  })

  it('[R353] tells what may still come from what never came', () => {
    const open = call({ id: 'a', name: 'one', result: 'x' }, { id: 'b', name: 'two' })
    const running = 'Tool two (running, no result yet):  → 0 bytes, not carried; re-read it if needed'
    expect(historyOf([ask('Go.'), ...open])).toContain(running)
    expect(historyOf([...open, ask('Stop.')])).toContain('Tool two (unanswered, no result):')
    expect(historyOf([...open, say('Done.')])).toContain('Tool two (unanswered, no result):')
  })

  it('[R353] takes the word of a format that has one for errors, and clips a long one', () => {
    const history = historyOf(
      [
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'go', input: {} }] },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'a', is_error: true, content: `broken ${'z'.repeat(5000)}` },
          ],
        },
      ],
      {},
      anthropic,
    )
    expect(history).toMatch(/\(completed, error\): .*\nbroken z{992}…$/)
  })

  it('[R375] shows no more of an error than the request does', () => {
    const text = `Error: ${'x'.repeat(800)}HIDDEN${'y'.repeat(4000)}`
    const messages = call({ id: 'a', name: 'one', result: text })
    expect(historyOf(messages)).toContain('HIDDEN')
    expect(historyOf(messages, { rules: { contextTool: null, maxChars: 1024 } })).not.toContain('HIDDEN')
  })

  it('[R124] points at the original of a copy, with its name and size', () => {
    const { line, sources } = lineOfMessages(messages)
    const clipped = withCopy(line, 4, [1500])
    const span = clipped.view.flatMap((index) => clipped.record[index] ?? [])
    const { job } = runStage(readForSummary(stageContext({ line: clipped, sources }), span))
    expect(job?.history).toContain(`→ ${secret.length} bytes, not carried`)
    expect(job?.history).not.toContain('SECRET')
    const bodies = stageContext({ line: clipped, sources }, { summaryBodies: true })
    const shown = runStage(readForSummary(bodies, span)).job?.history ?? ''
    expect(shown).toContain('SECRET')
    expect(shown).toContain(`${secret.length - 1500} of ${secret.length} characters omitted`)
    expect(shown).not.toContain('MIDDLE')
  })

  it('[R158, R375] with summaryBodies reads results as the request shows them', () => {
    const whole = historyOf(messages, { summaryBodies: true })
    expect(whole).toContain(`→ ${secret.length} bytes, as the model saw them:\n${secret}`)
    const bounded = historyOf(messages, {
      summaryBodies: true,
      rules: { contextTool: null, maxChars: 1024 },
    })
    expect(bounded).toContain('SECRET')
    expect(bounded).not.toContain('MIDDLE')
    expect(bounded).toContain('characters omitted')
    // A body that no shortening brings under the bound is not shown at all.
    const unfit = historyOf(messages, { summaryBodies: true, rules: { contextTool: null, maxChars: 20 } })
    expect(unfit).not.toContain('SECRET')
    expect(unfit).toContain('not carried')
  })

  it('reads what the notes of the span say, ahead of the rounds', () => {
    const { line, sources } = lineOfMessages([ask('Later.'), say('Yes.')])
    const note = madeNote(2, {
      members: [],
      firstIndex: 0,
      calls: [{ index: 9, function: 'grep', arguments: 'q="a"', outputChars: 12 }],
      summary: 'They began.',
    })
    const noted = { ...line, record: [...line.record, note], view: [2, 0, 1] }
    const span = noted.view.flatMap((index) => noted.record[index] ?? [])
    const { job } = runStage(readForSummary(stageContext({ line: noted, sources }), span))
    expect(job?.history).toMatch(/They began\.\n#9 grep\(q="a"\) -> 12 characters\n\nUser: Later\./)
    // A note may be all that there is to read.
    expect(runStage(readForSummary(stageContext({ line: noted, sources }), [note])).job?.history).toContain(
      'They began.',
    )
  })

  it('points at a result whose call is gone', () => {
    const { line, sources } = lineOfMessages(messages)
    const span = line.view.filter((index) => index !== 2).flatMap((index) => line.record[index] ?? [])
    const { job } = runStage(readForSummary(stageContext({ line, sources }), span))
    expect(job?.history).toContain(`Tool unknown (completed, ok):  → ${secret.length} bytes`)
  })
})

describe('what is asked of the writer', () => {
  it('[R354] is where to read again, and no contents, values, lines or numbers', () => {
    const instructions = read([ask('a'), say('b')]).job?.instructions ?? ''
    expect(instructions).toContain('paths, and calls with their arguments')
    expect(instructions).toContain('Never write down contents, values, lines or numbers')
    expect(instructions).toContain('which results this record does not carry')
  })
})

describe('history that is too long', () => {
  // Three rounds of about 150,000 characters, and a short one.
  const round = (letter: string) => [ask(letter.repeat(150_000)), say(`end of ${letter}`)]
  const messages = [...round('a'), ...round('b'), ...round('c'), ask('short'), say('last')]

  it('[R357, R359] leaves whole rounds out, the oldest first, and says how many', () => {
    const { job, unread } = read(messages)
    expect(job?.history).toMatch(/^\[\.\.\. 1 earlier round\(s\) elided to fit \.\.\.\]\n\nUser: bbb/)
    expect(job?.history).not.toContain('end of a')
    expect(job?.history).toContain('end of b')
    expect(unread.map(({ index }) => index)).toEqual([0, 1])
  })

  it('fits to the last character and the last token, with what stands ahead of the rounds', () => {
    const ahead = 'The tools the agent has: none'.length
    const words = 400_000 - ahead - 'User: '.length
    expect(read([ask('x'.repeat(words))]).job).not.toBeNull()
    expect(read([ask('x'.repeat(words + 1))]).job).toBeNull()
    const { instructions = '' } = read([ask('a')]).job ?? {}
    const tokens = instructions.length + 1 + ahead + 'User: a'.length
    expect(read([ask('a')], { ceilingCounted: tokens }).job).not.toBeNull()
    expect(read([ask('a')], { ceilingCounted: tokens - 1 }).job).toBeNull()
  })

  it('is nothing where nobody said a word', () => {
    expect(read([say(''), say('')]).job).toBeNull()
    expect(historyOf([say(''), ask('a')])).toMatch(/none\n\nUser: a$/)
  })

  it('[R117, R122] reads in a note of the span no call whose copy stands in the view', () => {
    const { line, sources } = lineOfMessages([
      ask('Look.'),
      ...call({ id: 'a', name: 'look', result: 'x' }, { id: 'b', name: 'see', result: 'y' }),
    ])
    const calls = [4, 5].map((index) => ({ index, function: `tool${index}`, arguments: '', outputChars: 1 }))
    const note = madeNote(6, { members: [2, 3, 4, 5], calls })
    const noted = withCopy({ ...line, record: [...line.record, note], view: [0, 1, 6, 5] }, 5, [1])
    const history = runStage(readForSummary(stageContext({ line: noted, sources }), [note])).job?.history
    expect(history).toContain('#4 tool4')
    expect(history).not.toContain('tool5')
  })

  it('[R360] is nothing where what notes say is over the ceiling by itself, to the token', () => {
    const { line, sources } = lineOfMessages([ask('a'), say('b')])
    const note = madeNote(2, { members: [0], summary: 'x'.repeat(500) })
    const noted = { ...line, record: [...line.record, note], view: [2] }
    const under = (ceilingCounted: number) =>
      runStage(readForSummary(stageContext({ line: noted, sources }, { ceilingCounted }), [note])).job
    const whole = under(1_000_000)
    const tokens = whole ? whole.instructions.length + 1 + summaryText(whole).length : 0
    expect(under(tokens)).not.toBeNull()
    expect(under(tokens - 1)).toBeNull()
  })

  it('[R159] is nothing where what notes say is more than the budget by itself', () => {
    const { line, sources } = lineOfMessages([ask('a'), say('b')])
    const saying = (summary: string) => {
      const note = madeNote(2, { members: [0], summary })
      const noted = { ...line, record: [...line.record, note], view: [2] }
      return runStage(readForSummary(stageContext({ line: noted, sources }), [note])).job
    }
    expect(saying('x'.repeat(399_000))).not.toBeNull()
    expect(saying('x'.repeat(400_000))).toBeNull()
  })

  it('[R159] has a budget of its own, in characters, that no bound on results changes', () => {
    const fits = [ask('x'.repeat(399_000)), say('y')]
    expect(historyOf(fits)).not.toContain('elided')
    expect(historyOf(fits, { rules: { contextTool: null, maxChars: 1024 } })).toBe(historyOf(fits))
    const emoji = [ask('😀'.repeat(250_000)), say('y')]
    expect(historyOf(emoji)).not.toContain('elided')
    expect(read([ask('x'.repeat(400_001)), say('y')]).job).toBeNull()
  })

  it('[R360] counts under what its own reader takes, whatever the ceiling is', () => {
    const elided = (options: Partial<StageContext>) =>
      /(\d) earlier round/.exec(historyOf(messages, options))?.[1]
    expect(elided({ ceilingCounted: 1_000_000, readerCounted: 200_000 })).toBe('2')
    expect(elided({ ceilingCounted: 20_000, readerCounted: 200_000 })).toBe('2')
    expect(elided({ ceilingCounted: 200_000 })).toBe('2')
  })

  it('[R358, R360] counts what follows the span, which stays whole, and announces only what is left out', () => {
    const { line, sources } = lineOfMessages([...messages, ...round('d'), ...round('e')])
    const entries = line.view.flatMap((index) => line.record[index] ?? [])
    const [span, after] = [entries.slice(0, 8), entries.slice(8)]
    const under = (readerCounted: number) =>
      runStage(readForSummary(stageContext({ line, sources }, { readerCounted }), span, after)).job
    const whole = under(1_000_000)
    expect(whole?.retainedTail).toContain('end of d')
    // Of 400,000 characters the newest work takes 300,000.
    expect(whole?.history).toMatch(/^\[\.\.\. 3 earlier round\(s\) elided to fit \.\.\.\]\n\nUser: short/)
    const tokens = whole ? whole.instructions.length + 1 + summaryText({ ...whole, history: '' }).length : 0
    const last = 'User: short\n\nAssistant: last'.length - 1
    expect(under(tokens + last)?.retainedTail).toBe(whole?.retainedTail)
    expect(under(tokens + last)?.history).toContain('User: short')
    expect(under(tokens + 5)).toBeNull()
  })

  it('[R360] shrinks in the same way until it counts under the ceiling', () => {
    // A token a character here.
    expect(historyOf(messages, { ceilingCounted: 200_000 })).toContain(
      '[... 2 earlier round(s) elided to fit ...]',
    )
    expect(historyOf(messages, { ceilingCounted: 20_000 })).toContain(
      '[... 3 earlier round(s) elided to fit ...]',
    )
    const line = historyOf(messages, { ceilingCounted: 20_000 }).split('\n\n')[1]
    expect(line).toHaveLength(42)
    const none = read(messages, { ceilingCounted: 100 })
    expect(none.job).toBeNull()
    expect(none.unread).toHaveLength(messages.length)
  })

  it('counts what is said twice for each time that it is read', () => {
    const { instructions = '' } = read([ask('a')]).job ?? {}
    const twice = [ask('again'), say(''), ask('again'), say('')]
    const tokens = instructions.length + 1 + 'The tools the agent has: none'.length + 2 * 'User: again'.length
    expect(historyOf(twice, { ceilingCounted: tokens })).not.toContain('elided')
    expect(historyOf(twice, { ceilingCounted: tokens - 1 })).toContain('[... 1 earlier round(s) elided')
  })

  it('never parts a call from its result', () => {
    const results = [1, 2, 3].flatMap((number) => [
      ask(`question ${number} ${'x'.repeat(130_000)}`),
      ...call({ id: `c${number}`, name: `tool${number}`, result: 'r' }),
      say(`answer ${number}`),
    ])
    for (const ceilingCounted of [2000, 135_000, 140_000, 265_000, 300_000, 400_000]) {
      const { job, unread } = read(results, { ceilingCounted })
      const gone = new Set(unread.map(({ index }) => index))
      const [first = []] = [[...gone]]
      expect(first.length === 0 || Math.max(...first) === first.length - 1).toBe(true)
      for (const number of [1, 2, 3])
        expect(job?.history.includes(`Tool tool${number}`) ?? false).toBe(!gone.has((number - 1) * 5 + 2))
    }
  })

  it('counts bytes and not characters of what is not carried', () => {
    const text = 'ß😀'
    expect(historyOf(call({ id: 'a', name: 'b', result: text }))).toContain(`→ ${utf8Bytes(text)} bytes`)
    expect(utf8Bytes(text)).toBe(6)
  })
})
