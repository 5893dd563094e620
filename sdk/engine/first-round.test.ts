import { describe, expect, it } from 'vitest'
import { DecidedChat } from '../testing/decided-chat.ts'
import { withCopy, withNote } from '../testing/made-entries.ts'
import { foldToy, kindsOf, lineOf } from '../testing/toy-fold.ts'
import { firstRoundOf, protectedMembers, storedFirstRound } from './first-round.ts'
import { forkLine } from './fork.ts'
import type { JsonObject } from './json.ts'
import type { FirstRoundDecision } from './record.ts'
import { toolIo } from './stages/tool-io.ts'

const decided: FirstRoundDecision = {
  included: true,
  members: [1, 2, 3, 4],
  hash: 'h',
  ceiling: 1000,
  budget: 100,
  counted: 40,
  scale: { reported: 1, counted: 1 },
  maxChars: null,
  projectionVersion: 1,
  at: 1,
  requestId: 'q',
}

// Each rule that carries R379 was broken by hand, and its test was red.

describe('the first round of a conversation', () => {
  it.each<[string, string, readonly number[]]>([
    ['the next answer', 'suacracr', [1, 2, 3, 4]],
    ['the next instruction', 'suacrua', [1, 2, 3, 4]],
    ['the end of the list', 'suaccrr', [1, 2, 3, 4, 5, 6]],
    ['the next instruction, with no call between', 'uaua', [0, 1]],
    ['the next answer, past a system message in between', 'usacracr', [0, 2, 3, 4]],
    ['the next answer, behind an answer that nobody asked for', 'acruacra', [3, 4, 5, 6]],
  ])(
    '[R259] is the first instruction, its answer, its calls and their results, up to %s',
    (_what, letters, members) => {
      expect(firstRoundOf(lineOf(letters))).toEqual({ members, isWhole: true })
    },
  )

  it('[R259, R379] ends at a note', () => {
    expect(firstRoundOf(withNote(lineOf('suacracr'), { members: [3, 4] }))).toMatchObject({ members: [1, 2] })
  })

  it('[R260, R379] is none before its answer is there, and none where a note follows the task', () => {
    expect(firstRoundOf(lineOf('su'))).toBeNull()
    expect(firstRoundOf(lineOf('suu'))).toBeNull()
    expect(firstRoundOf(lineOf('sacr'))).toBeNull()
    expect(firstRoundOf(withNote(lineOf('suacrua'), { members: [2, 3, 4] }))).toBeNull()
    expect(protectedMembers(withNote(lineOf('suacrua'), { members: [2, 3, 4] }))).toEqual([])
  })

  it('[R261] is not whole before every call has its result', () => {
    expect(firstRoundOf(lineOf('sua'))).toMatchObject({ isWhole: true })
    expect(firstRoundOf(lineOf('suac'))).toMatchObject({ isWhole: false })
    expect(firstRoundOf(lineOf('suaccr'))).toMatchObject({ isWhole: false })
  })

  it('[R265] names a result that was shortened by its original', () => {
    const clipped = withCopy(lineOf('suacr'), 4, [])
    expect(firstRoundOf(clipped)).toEqual({ members: [1, 2, 3, 4], isWhole: true })
  })
})

describe('the protection of a first round', () => {
  const line = lineOf('suacracracr')
  const stages = { ordinary: [toolIo(2)] }

  it('[R266, R275, R379] holds while it is pending, and for good where it is included', () => {
    expect(protectedMembers(line)).toEqual([1, 2, 3, 4])
    expect(protectedMembers({ ...line, firstRound: decided })).toEqual([1, 2, 3, 4])
    for (const firstRound of [undefined, decided]) {
      const kept = foldToy(
        { ...line, ...(firstRound && { firstRound }) },
        { ceiling: 60, placesMarks: true, stages },
      )
      expect(kindsOf(kept)).toBe('siacranacr')
    }
  })

  it('[R282, R379] does not hold where it is excluded', () => {
    const excluded = { ...line, firstRound: { ...decided, included: false } }
    expect(protectedMembers(excluded)).toEqual([])
    expect(kindsOf(foldToy(excluded, { ceiling: 60, placesMarks: true, stages }))).toBe('sianaacr')
  })

  it('[R253] does not hold where the cache is not placed', () => {
    expect(kindsOf(foldToy({ ...line, firstRound: decided }, { ceiling: 60, stages }))).toBe('sianaacr')
  })
})

describe('a stored decision', () => {
  const { record } = lineOf('suacr')
  const stored = (changed: object): unknown => storedFirstRound({ ...decided, ...changed }, record)

  it('[R269] stands where it is sound', () => {
    expect(stored({})).toEqual(decided)
    expect(stored({ included: false, maxChars: 4000 })).toEqual({
      ...decided,
      included: false,
      maxChars: 4000,
    })
    const least = { members: [0, 4], counted: 0, at: 0, maxChars: 0 }
    expect(stored(least)).toEqual({ ...decided, ...least })
  })

  it.each<[string, object]>([
    ['no members', { members: [] }],
    ['one member', { members: [1] }],
    ['a member twice', { members: [1, 2, 2] }],
    ['a member before the first', { members: [-1, 2] }],
    ['a size below nothing', { counted: -1 }],
    ['a bound below nothing', { maxChars: -1 }],
    ['a member that is no index', { members: [1, '2'] }],
    ['members out of order', { members: [2, 1, 3] }],
    ['a member that the record does not hold', { members: [1, 2, 5] }],
    ['no list of members', { members: { 0: 1 } }],
    ['no verdict', { included: 'yes' }],
    ['no hash', { hash: undefined }],
    ['a scale that is no pair', { scale: { reported: 1 } }],
    ['no scale', { scale: null }],
    ['a size that is no number', { counted: Number.NaN }],
    ['a bound that is none', { maxChars: 'none' }],
    ['no request', { requestId: 7 }],
  ])('[R269, R379] is dropped where it has %s', (_what, changed) => {
    expect(stored(changed)).toBeUndefined()
  })

  it.each([undefined, null, 'included', []])('[R269] is dropped where it is %j', (value) => {
    expect(storedFirstRound(value, record)).toBeUndefined()
  })

  it('[R270, R379] comes along to a line that shares all its members, and to no other', () => {
    const parent = { ...lineOf('uacruacr'), firstRound: { ...decided, members: [0, 1, 2, 3] } }
    expect(forkLine(parent, { id: 'child', window: { from: 0, to: 4 } }).firstRound).toEqual(
      parent.firstRound,
    )
    const without = forkLine(parent, { id: 'child', window: { from: 0, to: 3 } })
    expect(without.firstRound).toBeUndefined()
    expect(protectedMembers(without)).toEqual([0, 1, 2])
  })
})

const ask = (text: string): JsonObject => ({ role: 'user', content: [{ type: 'text', text }] })
const call = (id: string, text = 'so'): JsonObject => ({
  role: 'assistant',
  content: [
    { type: 'text', text },
    { type: 'tool_use', id, name: 'look', input: {} },
  ],
})
const result = (id: string, content: string): JsonObject => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content }],
})

/** A first round whose messages count so many tokens. */
function roundOf(tokens: number): readonly JsonObject[] {
  const round = (pad: number): readonly JsonObject[] => [ask('go'), call('a'), result('a', 'x'.repeat(pad))]
  return round(tokens - JSON.stringify({ messages: round(0) }).length)
}

const scale = { reported: 5, counted: 4 }

describe('the decision about a first round', () => {
  it('[R263, R379] G11: includes what comes to exactly a tenth of the ceiling, and no token more', () => {
    for (const [tokens, included] of [
      [1600, true],
      [1601, false],
    ] as const) {
      const chat = new DecidedChat()
      const { facts } = chat.send(roundOf(tokens), { input: { scale } })
      expect(facts.frontier).toBe('decided')
      expect(chat.line.firstRound).toMatchObject({ included, counted: tokens, budget: 2000, ceiling: 20_000 })
    }
  })

  it('[R264, R379] does not count the system', () => {
    const chat = new DecidedChat()
    chat.send(roundOf(1600), { input: { scale }, system: 'x'.repeat(50_000) })
    expect(chat.line.firstRound).toMatchObject({ included: true, counted: 1600 })
  })

  it('[R263] counts through the end of its material and nothing behind it', () => {
    const chat = new DecidedChat()
    const [task, answer, results] = roundOf(1600)
    const blocks = (results?.content ?? []) as readonly JsonObject[]
    const joined = { role: 'user', content: [...blocks, { type: 'text', text: 'And also this.' }] }
    chat.send([task ?? {}, answer ?? {}, joined], { input: { scale } })
    expect(chat.line.firstRound).toMatchObject({ included: true, counted: 1600, members: [0, 1, 2, 3] })
  })

  it('[R265] is recorded with its members, its figures, the bound, the request and the time', () => {
    const chat = new DecidedChat()
    chat.send([ask('go')])
    chat.send(roundOf(500), { policy: { toolResultMaxChars: 4000 }, input: { scale } })
    expect(chat.line.firstRound).toEqual({
      included: true,
      members: [0, 1, 2, 3],
      hash: expect.stringContaining('xxx'),
      ceiling: 20_000,
      budget: 2000,
      counted: 500,
      scale,
      maxChars: 4000,
      projectionVersion: 1,
      at: 2,
      requestId: 'request2',
    })
  })

  it('[R261, R266, R379] is made by the first request that carries the round whole', () => {
    const chat = new DecidedChat()
    const [task, answer, results] = roundOf(1600)
    const list = [task ?? {}, answer ?? {}, results ?? {}]
    for (const length of [1, 2]) {
      const { facts, line } = chat.send(list.slice(0, length))
      expect([facts.frontier, line.firstRound]).toEqual([undefined, undefined])
    }
    expect(chat.send(list).facts.frontier).toBe('decided')
    expect(chat.line.firstRound?.included).toBe(true)
  })

  it('[R262, R379] is not made by a preview, which only reads it', () => {
    const chat = new DecidedChat()
    const list = roundOf(1600)
    const preview = chat.decide(list, { input: { digest: null } })
    expect([preview.facts.frontier, preview.line.firstRound]).toEqual([undefined, undefined])
    chat.send(list)
    expect(chat.decide([...list, call('b')], { input: { digest: null } }).line.firstRound?.included).toBe(
      true,
    )
  })

  it.each<[string, Parameters<DecidedChat['send']>[1]]>([
    ['there is no ceiling', { ceiling: null }],
    ['the run is bounded', { input: { run: 'bounded' } }],
    ['the stages are held back', { input: { stages: null } }],
    [
      'the model has to read back and cannot',
      { policy: { recovery: 'model' }, input: { contextTool: null } },
    ],
    ['what it comes to is only estimated', { input: { exact: false } }],
    ['the cache is not placed', { policy: { promptCaching: false } }],
  ])('[R271, R379] is not made where %s, and the round stays pending', (_what, options) => {
    const chat = new DecidedChat()
    const { facts, line } = chat.send(roundOf(1600), options)
    expect([facts.frontier, line.firstRound]).toEqual([undefined, undefined])
    expect(protectedMembers(line)).toEqual([0, 1, 2, 3])
    expect(chat.send(roundOf(1600)).facts.frontier).toBe('decided')
  })

  it('[R267, R379] stands, whatever becomes of the ceiling, the scale and the bound', () => {
    const chat = new DecidedChat()
    const list = roundOf(1600)
    chat.send(list, { input: { scale } })
    const before = chat.line.firstRound
    for (const options of [
      { ceiling: 10_000 },
      { input: { scale: { reported: 9, counted: 4 } } },
      { policy: { toolResultMaxChars: 1024 } },
    ]) {
      expect(chat.send(list, options).facts.frontier).toBe('unchanged')
      expect(chat.line.firstRound).toBe(before)
    }
  })

  it('[R272, R379] keeps the bound that it was made with; results behind it have the one in force', () => {
    const chat = new DecidedChat()
    const first = [ask('go'), call('a'), result('a', 'x'.repeat(3000))]
    const lengths = (
      options: Parameters<DecidedChat['send']>[1],
      list: readonly JsonObject[],
    ): readonly number[] => {
      const { messages, facts } = chat.send(list, { ceiling: 40_000, ...options })
      expect(facts.frontier).toMatch(/decided|unchanged/)
      const contents = JSON.stringify(messages.map(({ snapshot }) => snapshot)).matchAll(
        /"content":"([^"]*)/g,
      )
      return [...contents].map(([, content]) => content?.length ?? 0)
    }
    const list = [...first, call('b'), result('b', 'y'.repeat(3000))]
    expect(lengths({}, first)).toEqual([3000])
    const [whole, cut = 0] = lengths({ policy: { toolResultMaxChars: 1024 } }, list)
    expect(whole).toBe(3000)
    expect(cut).toBeLessThan(1100)
    expect(lengths({}, list)).toEqual([3000, 3000])
  })

  it('[R272, R253] lets go of that bound while the cache is not placed', () => {
    const chat = new DecidedChat()
    const list = [ask('go'), call('a'), result('a', 'x'.repeat(3000))]
    chat.send(list, { ceiling: 40_000 })
    const off = { promptCaching: false, toolResultMaxChars: 1024 }
    const { messages, facts } = chat.send(list, { ceiling: 40_000, policy: off })
    expect(JSON.stringify(messages.at(-1)?.snapshot)).toContain('characters omitted')
    expect(facts.frontier).toBeUndefined()
  })

  it('[R268, R379] is told as changed where the same round has other bytes, and its members stay', () => {
    const chat = new DecidedChat()
    const list = roundOf(3000)
    const bound = { policy: { toolResultMaxChars: 1024 } }
    expect(chat.send(list, bound).facts.frontier).toBe('decided')
    expect(chat.send(list, bound).facts.frontier).toBe('unchanged')
    const before = chat.line.firstRound
    // Without the tool the marker in the shortened result speaks of no tool.
    expect(chat.send(list, { ...bound, input: { contextTool: null } }).facts.frontier).toBe('changed')
    expect(chat.line.firstRound).toBe(before)
  })

  it('[R268] is the same under other marks of the app, and with its text as a block or as text', () => {
    const chat = new DecidedChat()
    const [, answer = {}, results = {}] = roundOf(1600)
    const marked = { type: 'text', text: 'go', cache_control: { type: 'ephemeral' } }
    chat.send([{ role: 'user', content: [marked] }, answer, results])
    expect(chat.send([{ role: 'user', content: 'go' }, answer, results]).facts.frontier).toBe('unchanged')
  })

  it('[R273] is compared by the bytes alone, whatever way of shortening they were made in', () => {
    const chat = new DecidedChat()
    const list = roundOf(1600)
    chat.send(list)
    const { firstRound } = chat.line
    if (firstRound) chat.line = { ...chat.line, firstRound: { ...firstRound, projectionVersion: 7 } }
    expect(chat.send(list).facts.frontier).toBe('unchanged')
  })

  it('[R274, R379] marks the end of an included round, and not of an excluded one', () => {
    for (const [tokens, ends] of [
      [2000, [3, 4]],
      [2001, [4]],
    ] as const) {
      const chat = new DecidedChat()
      const { messages } = chat.send([...roundOf(tokens), ask('and?')])
      const marked = messages.filter(({ snapshot }) => JSON.stringify(snapshot).includes('cache_control'))
      expect(marked.map(({ indexes }) => indexes.at(-1))).toEqual(ends)
    }
  })

  it('[R282, R390] says nothing more of a round that it excluded', () => {
    const chat = new DecidedChat()
    expect(chat.send(roundOf(2001)).facts.frontier).toBe('decided')
    expect(chat.line.firstRound?.included).toBe(false)
    expect(chat.send(roundOf(2001)).facts.frontier).toBeUndefined()
  })

  it('[R283] refuses under a ceiling that the protected round does not fit, and never unprotects it', () => {
    const chat = new DecidedChat()
    const list = roundOf(1600)
    chat.send(list)
    const lowered = chat.send(list, { ceiling: 1000 })
    expect(lowered.refusal).toBe('nothing_to_fold')
    expect(lowered.line.view).toEqual([0, 1, 2, 3])
    expect(lowered.line.firstRound?.included).toBe(true)
  })

  it('[R284, R379] lets the model take members: the mark moves to the last left, and goes with the last', () => {
    const chat = new DecidedChat()
    const list = [...roundOf(600), call('b'), result('b', 'ok'), ask('and?')]
    const markedAt = (view: readonly number[]): readonly number[] => {
      chat.line = { ...chat.line, view }
      const { messages, facts } = chat.send(list)
      expect(facts.frontier).toBe(view.includes(3) ? 'decided' : 'changed')
      return messages.flatMap(({ snapshot, indexes }) =>
        JSON.stringify(snapshot).includes('cache_control') ? [indexes.at(-1) ?? -1] : [],
      )
    }
    chat.decide(list, { policy: { promptCaching: false } })
    expect(markedAt([0, 1, 2, 3, 4, 5, 6, 7])).toEqual([3, 7])
    expect(markedAt([0, 1, 4, 5, 6, 7])).toEqual([1, 7])
    expect(markedAt([0, 4, 5, 6, 7])).toEqual([0, 7])
    expect(markedAt([4, 5, 6, 7])).toEqual([7])
    expect(chat.line.firstRound?.members).toEqual([0, 1, 2, 3])
  })
})
