import { afterEach, describe, expect, it } from 'vitest'
import type { Format } from './engine/format.ts'
import type { JsonObject } from './engine/json.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { closeFetches, jsonResponse, openFetch, post, sentText } from './testing/open-fetch.ts'
import { recogniseFormat } from './wire/load-format.ts'

afterEach(closeFetches)

const policy = { maxInputTokens: 60_000 }
const question = 'And what did the keeper write after that?'
const output = [{ type: 'message', id: 'msg_1', role: 'assistant', content: [] }]
const usage = { input_tokens: 20_000, input_tokens_details: { cached_tokens: 512 }, output_tokens: 500 }
const responsesAnswer: JsonObject = { object: 'response', id: 'resp_1', status: 'completed', output, usage }
const conversation = { id: 'conv_1' }
const items = (content: string): JsonObject[] => [{ role: 'user', content }]
const prompt = (text: string): JsonObject[] => [{ role: 'user', content: [{ type: 'text', text }] }]

interface RemoteChat {
  readonly format: Format
  readonly first: JsonObject
  readonly response: unknown
  readonly next: JsonObject
}

/** A first request and its answer, and a request that goes on with what the provider holds of both. */
const chats: readonly (readonly [name: string, chat: RemoteChat])[] = [
  [
    'previous_response_id',
    {
      format: 'openai-responses',
      first: { model: 'gpt-5.5', input: items('Tell me of the keeper.') },
      response: responsesAnswer,
      next: { model: 'gpt-5.5', previous_response_id: 'resp_1', input: items(question) },
    },
  ],
  [
    'previous_response_id after a stream, and input that is text',
    {
      format: 'openai-responses',
      first: { model: 'gpt-5.5', input: 'Tell me of the keeper.', stream: true },
      response: [
        { type: 'response.created', response: { object: 'response', id: 'resp_1', usage: null } },
        { type: 'response.completed', response: responsesAnswer },
      ],
      next: { model: 'gpt-5.5', previous_response_id: 'resp_1', input: question },
    },
  ],
  [
    'a conversation by its name',
    {
      format: 'openai-responses',
      first: { model: 'gpt-5.5', conversation: 'conv_1', input: items('Tell me of the keeper.') },
      response: { ...responsesAnswer, conversation },
      next: { model: 'gpt-5.5', conversation: 'conv_1', input: items(question) },
    },
  ],
  [
    'a conversation as an object',
    {
      format: 'openai-responses',
      first: { model: 'gpt-5.5', conversation, input: items('Tell me of the keeper.') },
      response: { ...responsesAnswer, conversation },
      next: { model: 'gpt-5.5', conversation, input: items(question) },
    },
  ],
  [
    'a thread',
    {
      format: 'anthropic',
      first: {
        model: 'claude-opus-5',
        max_tokens: 900,
        thread: { type: 'create' },
        messages: items('Tell me.'),
      },
      response: {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        content: [],
        usage: { input_tokens: 1_000, cache_read_input_tokens: 19_000, output_tokens: 500 },
      },
      next: {
        model: 'claude-opus-5',
        max_tokens: 900,
        thread: { type: 'continue', previous_message_id: 'msg_1' },
        messages: items(question),
      },
    },
  ],
  [
    'a thread after a stream',
    {
      format: 'anthropic',
      first: {
        model: 'claude-opus-5',
        max_tokens: 900,
        thread: { type: 'create' },
        messages: items('Tell me.'),
      },
      response: [
        {
          type: 'message_start',
          message: { type: 'message', id: 'msg_1', usage: { input_tokens: 20_000, output_tokens: 1 } },
        },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 500 } },
      ],
      next: {
        model: 'claude-opus-5',
        max_tokens: 900,
        thread: { type: 'continue', previous_message_id: 'msg_1' },
        messages: items(question),
      },
    },
  ],
  [
    'previousResponseId in the AI SDK',
    {
      format: 'ai-sdk',
      first: { prompt: prompt('Tell me of the keeper.') },
      response: {
        content: [],
        response: { id: 'resp_1' },
        usage: { inputTokens: { total: 20_000 }, outputTokens: { total: 500 } },
      },
      next: { prompt: prompt(question), providerOptions: { openai: { previousResponseId: 'resp_1' } } },
    },
  ],
  [
    "the AI SDK's previousInteractionId",
    {
      format: 'ai-sdk',
      first: { prompt: prompt('Tell me of the keeper.') },
      response: {
        content: [],
        response: { id: 'int_1' },
        usage: { inputTokens: { total: 20_000 }, outputTokens: { total: 500 } },
      },
      next: { prompt: prompt(question), providerOptions: { google: { previousInteractionId: 'int_1' } } },
    },
  ],
]

describe.each(chats)(
  'a history that the provider holds, by %s',
  (_name, { format, first, response, next }) => {
    it('[R39, R42] is what was reported, what was answered, and what is new', async () => {
      const { branch } = await openTestBranch({ policy: { maxInputTokens: 'none' } })
      await (await branch.prepare(first, { format })).settle({ response })
      await branch.setPolicy(policy)
      const { decision, request } = await branch.prepare(next, { format })
      expect(decision).toMatchObject({ method: 'remote', action: 'pass', folded: [] })
      expect(decision.before).toBeCloseTo(20_500 + decision.counted * decision.scale, 0)
      expect(decision.counted).toBeLessThan(100)
      expect(request).toBe(next)
    })

    it('[R41] is refused under a ceiling while nothing was reported of it', async () => {
      const { branch } = await openTestBranch({ policy })
      await expect(branch.prepare(next, { format })).rejects.toMatchObject({ reason: 'remote_unmeasured' })
    })
  },
)

describe("Gemini's interactions", () => {
  const url = 'https://generativelanguage.googleapis.com/v1beta/interactions'
  const first = {
    model: 'gemini-3-pro',
    input: 'Tell me of the keeper.',
    generation_config: { temperature: 0 },
  }
  const next = { model: 'gemini-3-pro', input: question, previous_interaction_id: 'int_1' }

  it.each([
    ['a first one', first],
    ['one that goes on with a history that the provider holds', next],
  ])('[R42] are of no format, and pass as they came: %s', async (_what, body) => {
    const chat = openFetch({ policy, answer: () => jsonResponse({ id: 'int_2', status: 'completed' }) })
    const answered = await chat.fetch(url, post(body))
    expect(await answered.json()).toEqual({ id: 'int_2', status: 'completed' })
    expect(await sentText(chat)).toBe(JSON.stringify(body))
    expect(chat.warnings()).toEqual(['chat_unmeasured'])
    expect((await (await chat.dogear.branch('chat')).journal()).decisions).toEqual([])
    expect(recogniseFormat(body)).toBeNull()
  })

  it('[R41, R42] are never measured as a history that is whole', async () => {
    const { branch } = await openTestBranch({ policy })
    await expect(branch.prepare(next)).rejects.toMatchObject({ code: 'unknown_format' })
    await expect(branch.prepare(next, { format: 'gemini' })).rejects.toMatchObject({
      code: 'invalid_request',
    })
  })
})
