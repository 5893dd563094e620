import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject } from './engine/json.ts'
import { lintRequest } from './lint-request.ts'
import { memoryStore } from './stores/memory.ts'
import { asResponses } from './testing/as-responses.ts'
import { makeConversation, requestAt } from './testing/conversation.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { playRequest } from './testing/play-at-random.ts'
import { loadTokenizer } from './tokenizer.ts'

const { countRequest } = await loadTokenizer()

const conversation = makeConversation({
  seed: 83,
  format: 'openai-chat',
  rounds: 20,
  resultWords: 2_000,
  contextTool: true,
})
const requests = conversation.requests.map((length) => asResponses(requestAt(conversation, length)))
const whole = requests.at(-1) ?? {}
const sizeOfWhole = countRequest(whole).total
const summarize = async () => 'Notes were read and compared; nothing was missing.'

function itemsOf(request: unknown): readonly JsonObject[] {
  const input = isObject(request) ? request.input : undefined
  return Array.isArray(input) ? input : []
}

describe('a conversation of twenty rounds in Responses', () => {
  it('[R100] is folded by every stage, always in one line, sound, and counted whole', async () => {
    const landed = new Set<string>()
    for (const part of [2, 8, 20, 40]) {
      const maxInputTokens = Math.floor(sizeOfWhole / part)
      const policy = { maxInputTokens, run: 'iterative' } as const
      const test = await openTestBranch({ policy, summarize })
      const lines = new Set<string>()
      for (const incoming of requests) {
        const { prepared, decision } = await playRequest(test, incoming)
        lines.add(decision.lineId)
        expect(lintRequest('openai-responses', incoming)).toEqual([])
        if (prepared === null) continue
        expect(lintRequest('openai-responses', prepared.request)).toEqual([])
        expect(countRequest(prepared.request).total).toBe(decision.counted)
        expect(decision.after).toBeLessThanOrEqual(maxInputTokens)
        await prepared.settle({ usage: null })
      }
      expect(lines.size).toBe(1)
      for (const event of test.events)
        if (event.type === 'stage-applied' && event.fold.outcome === 'landed') landed.add(event.fold.stage)
    }
    expect([...landed].sort()).toEqual(['all', 'clip', 'tool_io'])
  })

  it('[R15] comes back byte for byte when all of it is restored and nothing is the ceiling', async () => {
    const policy = { maxInputTokens: Math.floor(sizeOfWhole / 8), run: 'iterative' } as const
    const store = memoryStore()
    const test = await openTestBranch({ policy, store, summarize })
    for (const incoming of requests)
      await (await playRequest(test, incoming)).prepared?.settle({ usage: null })
    expect(test.events.some(({ type }) => type === 'stage-applied')).toBe(true)
    await test.branch.setPolicy({ maxInputTokens: 'none' })
    const { entries } = await test.branch.status()
    expect(await test.branch.restore({ start: 0, end: entries })).toMatchObject({ success: true })
    const { request, decision } = await test.branch.prepare(whole)
    expect(request).toBe(whole)
    expect(decision.action).toBe('pass')
  })

  it('[R15, R252] is the very object that came in where nothing is folded', async () => {
    const { branch } = await openTestBranch()
    for (const incoming of requests) expect((await branch.prepare(incoming)).request).toBe(incoming)
  })

  it('keeps the very items of rounds that no stage took, and copies of what is left of others', async () => {
    const test = await openTestBranch({ policy: { maxInputTokens: Math.floor(sizeOfWhole / 2) } })
    let sent: unknown = null
    for (const incoming of requests) {
      const { request, settle } = await test.branch.prepare(incoming)
      await settle({ usage: null })
      sent = request
    }
    const own = itemsOf(whole)
    const texts = new Set(own.map((item) => JSON.stringify(item)))
    const items = itemsOf(sent)
    expect(items.slice(-6)).toEqual(own.slice(-6))
    for (const [place, item] of items.slice(-6).entries()) expect(item).toBe(own.at(place - 6))
    const added = items.filter((item) => !texts.has(JSON.stringify(item)))
    expect(new Set(added.map(({ type, role }) => `${type} of ${role}`))).toEqual(new Set(['message of user']))
  })
})

describe('conversations of every shape in Responses', () => {
  it.each([1, 2, 3, 4, 5, 6])('[R100] have no fault that they did not bring (seed %i)', async (seed) => {
    const varied = makeConversation({
      seed,
      format: 'openai-chat',
      rounds: 12,
      contextTool: true,
      shapes: 'varied',
    })
    const faultsOf = (request: unknown): readonly string[] =>
      lintRequest('openai-responses', request).map(({ rule }) => rule)
    const maxInputTokens = Math.floor(countRequest(asResponses(varied.request)).total / (1 + seed))
    const test = await openTestBranch({ policy: { maxInputTokens, run: 'iterative' }, summarize })
    for (const length of varied.requests) {
      const incoming = asResponses(requestAt(varied, length))
      const { prepared, decision } = await playRequest(test, incoming)
      if (prepared === null) continue
      expect(countRequest(prepared.request).total).toBe(decision.counted)
      const known = faultsOf(incoming)
      const faults = faultsOf(prepared.request)
      for (const rule of new Set(faults))
        expect(faults.filter((other) => other === rule).length).toBeLessThanOrEqual(
          known.filter((other) => other === rule).length,
        )
      await prepared.settle({ usage: null })
    }
    expect(test.events.some(({ type }) => type === 'stage-applied')).toBe(true)
    expect((await test.branch.lines()).length).toBe(1)
  })
})

describe('input that is text', () => {
  const first = { model: 'test-model', instructions: 'Be brief.', input: 'How tall is a hop pole?' }
  const answer = {
    type: 'message',
    id: 'msg_1',
    role: 'assistant',
    content: [{ type: 'output_text', text: 'Six metres.' }],
  }

  it('[R27] is counted as the text that it is', async () => {
    const { branch } = await openTestBranch()
    const { decision, request } = await branch.prepare(first)
    const { count } = await loadTokenizer()
    expect(request).toBe(first)
    expect(decision.counted).toBe(count(`{"instructions":"Be brief.","input":"How tall is a hop pole?"}`))
  })

  it('goes on as a list in the same line', async () => {
    const { branch } = await openTestBranch()
    const { decision } = await branch.prepare(first)
    const input = [
      { role: 'user', content: first.input },
      answer,
      { role: 'user', content: 'And a rose arch?' },
    ]
    const next = await branch.prepare({ ...first, input })
    expect(next.decision.lineId).toBe(decision.lineId)
    expect((await branch.status()).entries).toBe(4)
  })
})

describe('a history that OpenAI holds', () => {
  const response = (extra: JsonObject): JsonObject => ({
    object: 'response',
    id: 'resp_1',
    output: [],
    usage: { input_tokens: 29_000, output_tokens: 500 },
    ...extra,
  })

  it.each([
    ['a response', { previous_response_id: 'resp_1' }, response({})],
    ['a conversation', { conversation: 'conv_1' }, response({ conversation: { id: 'conv_1' } })],
    [
      'a conversation as an object',
      { conversation: { id: 'conv_1' } },
      response({ conversation: { id: 'conv_1' } }),
    ],
  ])('[R39] of %s is measured from what was reported for it', async (_what, continued, answer) => {
    const { branch } = await openTestBranch({ policy: { maxInputTokens: 60_000 } })
    await (await branch.prepare({ model: 'gpt-5.4', input: 'Go.' })).settle({ response: answer })
    const request = { model: 'gpt-5.4', ...continued, input: 'And then?' }
    const { decision, request: sent } = await branch.prepare(request)
    expect(sent).toBe(request)
    expect(decision).toMatchObject({ method: 'remote', action: 'pass' })
    expect(decision.before).toBeCloseTo(29_500 + decision.counted * decision.scale, 0)
  })

  it('may go on without any input', async () => {
    const { branch } = await openTestBranch({ policy: { maxInputTokens: 60_000 } })
    await (await branch.prepare({ model: 'gpt-5.4', input: 'Go.' })).settle({ response: response({}) })
    const request = { model: 'gpt-5.4', previous_response_id: 'resp_1' }
    expect((await branch.prepare(request)).request).toBe(request)
  })

  it('may be a prompt that is stored there', async () => {
    const { branch } = await openTestBranch()
    const request = { model: 'gpt-5.4', prompt: { id: 'pmpt_1', variables: { city: 'Cork' } } }
    expect((await branch.prepare(request)).request).toBe(request)
  })
})
