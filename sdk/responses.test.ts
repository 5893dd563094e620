import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject } from './engine/json.ts'
import { asResponses } from './testing/as-responses.ts'
import { describePlayedFormat } from './testing/describe-played-format.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { loadTokenizer } from './tokenizer.ts'

const { requests, whole, sizeOfWhole } = describePlayedFormat({
  format: 'openai-responses',
  spoken: 'in Responses',
  seed: 83,
  parts: [2, 8, 20, 40],
  ways: { items: asResponses },
})

function itemsOf(request: unknown): readonly JsonObject[] {
  const input = isObject(request) ? request.input : undefined
  return Array.isArray(input) ? input : []
}

describe('folds of a conversation in Responses', () => {
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
