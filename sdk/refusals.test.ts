import { describe, expect, it } from 'vitest'
import type { PrepareOptions } from './branch.ts'
import type { JsonObject } from './engine/json.ts'
import type { ContextPolicy } from './engine/policy.ts'
import { InputCeilingError } from './errors.ts'
import { memoryStore } from './stores/memory.ts'
import { openTestBranch, type TestBranch } from './testing/open-branch.ts'
import { messagesOf } from './testing/play-conversation.ts'

const user = (content: string): JsonObject => ({ role: 'user', content })
const answer = (content: string): JsonObject => ({ role: 'assistant', content })
const request = (...messages: readonly JsonObject[]): JsonObject => ({ model: 'test-model', messages })

const contextTool: JsonObject = {
  type: 'function',
  function: {
    name: 'context',
    parameters: {
      type: 'object',
      properties: { action: { type: 'string', enum: ['status', 'read_result'] } },
    },
  },
}

const long = 'one two three '.repeat(200)
const task = request(user('Begin.'), answer('Yes?'), user(long))
const longer = request(...messagesOf(task), answer('Working.'), user('x'))
const grown = request(...messagesOf(task), answer('I called nothing.'))

/** Size of a request, in tokens. */
async function sizeOf(body: JsonObject): Promise<number> {
  const { branch } = await openTestBranch()
  return (await branch.prepare(body)).decision.counted
}

async function refusalOf(
  { branch }: Pick<TestBranch, 'branch'>,
  body: JsonObject,
  options: PrepareOptions = {},
): Promise<InputCeilingError> {
  const error = await branch.prepare(body, options).then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof InputCeilingError) return error
  throw new TypeError(`the request was not refused for its size: ${String(error)}`)
}

const open = (maxInputTokens: number, policy: ContextPolicy = {}): Promise<TestBranch> =>
  openTestBranch({ policy: { maxInputTokens, ...policy } })

describe('a refusal', () => {
  it('[R51, R54, R66] is for what is over the ceiling, and says how large what is', async () => {
    const size = await sizeOf(task)
    for (const ceiling of [size, size + 1])
      expect((await (await open(ceiling)).branch.prepare(task)).decision.sent).toBe(true)
    const error = await refusalOf(await open(size - 1), task)
    expect(error).toMatchObject({
      code: 'input_ceiling_exceeded',
      estimate: size,
      ceiling: size - 1,
      counted: size,
      scale: 1,
      reason: 'nothing_to_fold',
    })
    const tokens = error.largestParts.map((part) => part.tokens)
    expect(tokens).toEqual([...tokens].sort((a, b) => b - a))
    expect(error.largestParts[0]?.part).toBe('instruction')
    expect(tokens.reduce((sum, part) => sum + part, 0)).toBe(size)
    expect(JSON.stringify(error)).not.toContain('three')
  })

  it('[R55, R61, R380] hands nothing over and is recorded with its size', async () => {
    const test = await open(300)
    const { estimate } = await refusalOf(test, task)
    const { decisions } = await test.branch.journal()
    expect(decisions).toMatchObject([{ action: 'refuse', sent: false, after: estimate }])
    expect(decisions[0]?.trace.at(-1)).toMatchObject({ type: 'refused', estimate, ceiling: 300 })
    expect((await test.branch.status()).entries).toBe(3)
  })

  it('[R65] comes before anything unread is dropped', async () => {
    const test = await open(300)
    expect((await refusalOf(test, request(user(long), user('And?')))).reason).toBe('nothing_to_fold')
    expect((await test.branch.status()).inView).toBe(2)
  })

  it('[R110] comes for nothing where there is no ceiling, and the shares are kept all the same', async () => {
    const policy: ContextPolicy = { maxInputTokens: 'none', contextFoldAt: 0.5, contextFoldTarget: 0.4 }
    const { branch } = await openTestBranch({ policy })
    const { decision } = await branch.prepare(task)
    expect(decision).toMatchObject({ action: 'pass', ceiling: null, line: null, target: null })
    expect(decision.trace).toHaveLength(1)
    expect(branch.policy).toEqual(policy)
  })

  it('[R295] is told as a decision like that of any other request', async () => {
    const test = await open(300)
    await test.branch.prepare(request(user('Begin.')))
    await refusalOf(test, task)
    const told = test.events.flatMap((event) => (event.type === 'request-decided' ? [event.decision] : []))
    expect(told).toEqual((await test.branch.journal()).decisions)
    expect(told.map(({ action, sent }) => [action, sent])).toEqual([
      ['pass', true],
      ['refuse', false],
    ])
  })

  it.each<[string, ContextPolicy, PrepareOptions]>([
    ['bounded_run', { run: 'bounded' }, {}],
    ['bounded_run', {}, { run: 'bounded' }],
    ['no_context_tool', { recovery: 'model' }, {}],
  ])('[R54, R57] for %s comes without a fold', async (reason, policy, options) => {
    const test = await open(300, policy)
    expect((await refusalOf(test, task, options)).reason).toBe(reason)
    expect((await test.branch.journal()).folds).toEqual([])
  })
})

describe('the first refusal of a turn is raised again', () => {
  it('[R52, R53, R62] for every later request of the turn, as it was, and nothing is folded meanwhile', async () => {
    const test = await open(300)
    const first = await refusalOf(test, task)
    for (const body of [task, grown]) {
      const again = await refusalOf(test, body)
      expect({ ...again }).toEqual({ ...first })
    }
    const { decisions, folds } = await test.branch.journal()
    expect(decisions.map(({ action }) => action)).toEqual(['refuse', 'refuse', 'refuse'])
    expect(decisions.slice(1).map(({ trace }) => trace.at(-1))).toEqual([
      { type: 'refusal_stands', requestId: decisions[0]?.requestId },
      { type: 'refusal_stands', requestId: decisions[0]?.requestId },
    ])
    expect(decisions[2]?.before).toBeGreaterThan(decisions[0]?.before ?? 0)
    expect(folds).toEqual([])
  })

  it('even for one that would fit now', async () => {
    const test = await open(300)
    const { estimate } = await refusalOf(test, { ...task, tools: [contextTool] })
    await refusalOf(await open(300), { ...task, tools: [] })
    expect((await refusalOf(test, { ...task, tools: [] })).estimate).toBe(estimate)
  })

  it('after a reload too', async () => {
    const store = memoryStore()
    const policy = { maxInputTokens: 300 }
    const first = await refusalOf(await openTestBranch({ store, policy }), task)
    const again = await refusalOf(await openTestBranch({ store, policy }), grown)
    expect(again.message).toBe(first.message)
    expect(again.fields).toEqual(first.fields)
  })
})

describe('a refusal ends', () => {
  const short = request(user('Begin.'), answer('Yes?'), user('Stop.'))
  const trace = async ({ branch }: TestBranch): Promise<readonly string[]> =>
    ((await branch.journal()).decisions.at(-1)?.trace ?? []).map(({ type }) => type)

  it('with a new instruction', async () => {
    const test = await open(300)
    await refusalOf(test, task)
    await refusalOf(test, longer)
    expect(await trace(test)).not.toContain('refusal_stands')
  })

  it('with a shorter list, and does not come back when that grows again', async () => {
    const size = await sizeOf(task)
    const test = await open(size - 1)
    await refusalOf(test, task)
    const rewound = await test.branch.prepare(request(...messagesOf(task).slice(0, 1)))
    expect(rewound.decision.sent).toBe(true)
    await refusalOf(test, task)
    expect(await trace(test)).not.toContain('refusal_stands')
    // The front of a list may be what is cut.
    expect((await test.branch.prepare(request(...messagesOf(task).slice(2)))).decision.sent).toBe(true)
  })

  it('with an edited list', async () => {
    const test = await open(300)
    await refusalOf(test, task)
    expect((await test.branch.prepare(short)).decision.sent).toBe(true)
    // The line that was left keeps it.
    await refusalOf(test, task)
    expect(await trace(test)).toContain('refusal_stands')
  })

  it('with another policy', async () => {
    const test = await open(300)
    await refusalOf(test, task)
    await test.branch.setPolicy({ maxInputTokens: 3000 })
    expect((await test.branch.prepare(task)).decision.sent).toBe(true)
  })

  it.each<[string, JsonObject, PrepareOptions]>([
    ['model', { ...task, model: 'another-model' }, {}],
    ['model', task, { model: 'another-model' }],
    ['ceiling', task, { maxInputTokens: 200 }],
    ['run', task, { run: 'bounded' }],
  ])('with another %s', async (_, body, options) => {
    const test = await open(300)
    await refusalOf(test, task)
    await refusalOf(test, body, options)
    expect(await trace(test)).not.toContain('refusal_stands')
  })

  it('when the app clears it', async () => {
    const test = await open(300)
    await refusalOf(test, task)
    await test.branch.clearRefusal()
    await refusalOf(test, task)
    expect(await trace(test)).not.toContain('refusal_stands')
  })
})

describe('the two further folds that a turn may have', () => {
  const round = (id: string): readonly JsonObject[] => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'look', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: id, content: `result ${id} `.repeat(60) },
  ]

  it('[R60, R63] are counted over its requests, stored with them, and there again in the next turn', async () => {
    const store = memoryStore()
    const test = await openTestBranch({ store, policy: { maxInputTokens: 300 } })
    const messages = [user(long), ...round('a')]
    const resumed = async (...more: readonly JsonObject[]): Promise<readonly unknown[]> => {
      messages.push(...more)
      await refusalOf(test, request(...messages))
      // Without this the refusal would stand, and nothing be tried.
      await test.branch.clearRefusal()
      const { decisions, folds } = await test.branch.journal()
      const turn = (await store.load('chat'))?.lines[0]?.turn
      const steps = decisions.at(-1)?.trace.filter(({ type }) => type === 'resumed') ?? []
      return [folds.filter(({ outcome }) => outcome === 'landed').length, steps.length, turn?.resumptions]
    }
    // Each round that comes lets the one before it be folded, and the task is too large all the same.
    expect(await resumed(...round('b'))).toEqual([1, 1, 1])
    expect(await resumed(...round('c'))).toEqual([2, 1, 2])
    expect(await resumed(...round('d'))).toEqual([3, 0, 2])
    expect(await resumed(user(long), ...round('e'), ...round('f'))).toEqual([5, 1, 1])
  })
})

describe('the notice of a session', () => {
  const chat = { ...request(user('Begin.'), answer('Yes?'), user('word '.repeat(400))), tools: [contextTool] }

  it('[R233] is said at the line where the model has the tool, is no entry, and is gone with the next list', async () => {
    const size = await sizeOf(chat)
    const ceiling = Math.floor(size / 0.85)
    const test = await open(ceiling, { notice: true })
    const prepared = await test.branch.prepare(chat)
    expect(prepared.decision).toMatchObject({ action: 'notice', before: size })
    expect(prepared.decision.after).toBeGreaterThan(size)
    const said = messagesOf(prepared.request)
    expect(said).toHaveLength(4)
    expect(said.at(-1)?.content).toContain(`${size} of the ${ceiling} tokens`)
    expect((await test.branch.status()).entries).toBe(3)
    await prepared.settle({ usage: { prompt_tokens: prepared.decision.counted } })
    // The next request extends this one, so its size is known from it.
    const next = request(...messagesOf(chat), answer('Done.'), user('Go on.'))
    const { decision, request: sent } = await test.branch.prepare({ ...next, tools: [contextTool] })
    expect(decision.method).toBe('anchored')
    expect(
      messagesOf(sent).filter(({ content }) => String(content).includes('[Note from the app')),
    ).toHaveLength(1)
  })

  it('gives way where nothing but it would have the request refused', async () => {
    const size = await sizeOf(chat)
    const { branch } = await open(size, { notice: true })
    const { decision, request } = await branch.prepare(chat)
    expect(decision).toMatchObject({ sent: true, action: 'pass', after: size })
    expect(JSON.stringify(request)).not.toContain('may have')
  })

  it('is said again by a retry', async () => {
    const test = await open(Math.floor((await sizeOf(chat)) / 0.85), { notice: true })
    const first = await test.branch.prepare(chat)
    await first.settle({ error: new Error('busy') })
    const retry = await test.branch.prepare(chat)
    expect(retry.decision.attempt).toBe(2)
    expect(JSON.stringify(retry.request)).toBe(JSON.stringify(first.request))
  })

  it('says the same in a retry, whatever the scale has become since', async () => {
    const before = { ...chat, messages: messagesOf(chat).slice(0, -1) }
    const test = await open(Math.floor((await sizeOf(chat)) / 0.85), { notice: true })
    const earlier = await test.branch.prepare(before)
    const first = await test.branch.prepare(chat)
    expect(JSON.stringify(first.request)).toContain('may have')
    await earlier.settle({ usage: { prompt_tokens: 1.05 * earlier.decision.counted } })
    const retry = await test.branch.prepare(chat)
    expect(retry.decision.attempt).toBe(2)
    expect(JSON.stringify(retry.request)).toBe(JSON.stringify(first.request))
  })
})

describe('a refusal of a list that is of another conversation', () => {
  it('says so, for it is never folded there', async () => {
    const test = await openTestBranch({ policy: { maxInputTokens: 'none' } })
    await test.branch.prepare(request(user('Hello there.')))
    await test.branch.setPolicy({ maxInputTokens: 100 })
    const error = await refusalOf(test, task)
    expect(error.warnings).toMatchObject([{ code: 'list_not_of_this_branch' }])
    expect(error.message).toMatch(
      /neither recorded nor folded nor repaired; prepare it on a branch of its own$/,
    )
  })
})
