import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from './engine/json.ts'
import type { ContextPolicy } from './engine/policy.ts'
import type { Summarize } from './ports.ts'
import { openTestBranch } from './testing/open-branch.ts'
import {
  chatUrl,
  closeFetches,
  completion,
  jsonResponse,
  openFetch,
  post,
  type SentCall,
} from './testing/open-fetch.ts'

interface Spoken {
  readonly url: string
  /** What a request holds beside its list, all of it no business of a summary but its model and its settings. */
  readonly extras: JsonObject
  /** Whatever may be in a request for a summary, beside what it asks. */
  readonly kept: JsonObject
  request(texts: readonly string[]): JsonObject
  answer(text: string): JsonObject
  /** The words of a request for a summary: what it asks, and what it hands over. */
  asked(body: JsonObject): readonly unknown[]
}

const role = (place: number, answer = 'assistant') => (place % 2 === 0 ? 'user' : answer)

const formats: Readonly<Record<string, Spoken>> = {
  'openai-chat': {
    url: chatUrl,
    extras: {
      ...{ model: 'test-model', temperature: 0.5, max_tokens: 900, store: true, provider: { order: ['a'] } },
      ...{ tools: [], tool_choice: 'auto', parallel_tool_calls: true, response_format: { type: 'text' } },
      ...{ stop: ['x'], stream: false, stream_options: {}, n: 1, logprobs: false },
    },
    kept: {
      model: 'test-model',
      temperature: 0.5,
      max_tokens: 900,
      store: false,
      provider: { order: ['a'] },
    },
    request: (texts) => ({ messages: texts.map((content, place) => ({ role: role(place), content })) }),
    answer: (content) => ({
      ...completion({ prompt_tokens: 70, completion_tokens: 5 }),
      choices: [{ message: { content }, finish_reason: 'stop' }],
    }),
    asked: ({ messages }) => [(messages as JsonObject[])[0]?.content, (messages as JsonObject[])[1]?.content],
  },
  'openai-responses': {
    url: 'https://api.example/v1/responses',
    extras: {
      ...{
        model: 'test-model',
        instructions: 'Be kind.',
        reasoning: { effort: 'low' },
        max_output_tokens: 900,
      },
      ...{ tools: [], tool_choice: 'auto', text: { format: { type: 'text' } }, include: [], stream: false },
      ...{ truncation: 'disabled', max_tool_calls: 3, store: true },
    },
    kept: {
      ...{ model: 'test-model', reasoning: { effort: 'low' }, max_output_tokens: 900, store: false },
      truncation: 'disabled',
    },
    request: (texts) => ({ input: texts.map((content, place) => ({ role: role(place), content })) }),
    answer: (text) => ({
      ...{ object: 'response', id: 'r1', status: 'completed', usage: { input_tokens: 70, output_tokens: 5 } },
      output: [
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
        { type: 'message', content: [{ type: 'output_text', text }] },
      ],
    }),
    asked: ({ instructions, input }) => [instructions, (input as JsonObject[])[0]?.content],
  },
  anthropic: {
    url: 'https://api.example/v1/messages',
    extras: {
      ...{ model: 'test-model', max_tokens: 900, system: 'Be kind.', metadata: { user_id: 'u' } },
      ...{ stop_sequences: ['x'], output_config: { effort: 'low', format: { type: 'json_schema' } } },
      ...{ stream: false, tools: [], tool_choice: { type: 'auto' } },
    },
    kept: {
      model: 'test-model',
      max_tokens: 900,
      metadata: { user_id: 'u' },
      output_config: { effort: 'low' },
    },
    request: (texts) => ({ messages: texts.map((content, place) => ({ role: role(place), content })) }),
    answer: (text) => ({
      ...{
        type: 'message',
        id: 'm1',
        stop_reason: 'end_turn',
        usage: { input_tokens: 70, output_tokens: 5 },
      },
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: 's' },
        { type: 'text', text },
      ],
    }),
    asked: ({ system, messages }) => [system, (messages as JsonObject[])[0]?.content],
  },
  gemini: {
    url: 'https://api.example/v1beta/models/test-model:streamGenerateContent?key=k&alt=sse',
    extras: {
      systemInstruction: { parts: [{ text: 'Be kind.' }] },
      generationConfig: { temperature: 0.5, stopSequences: ['x'], responseMimeType: 'text/plain' },
      ...{ tools: [], toolConfig: {}, safetySettings: [] },
    },
    kept: { generationConfig: { temperature: 0.5 }, safetySettings: [] },
    request: (texts) => ({
      contents: texts.map((text, place) => ({ role: role(place, 'model'), parts: [{ text }] })),
    }),
    answer: (text) => ({
      candidates: [{ content: { parts: [{ text: 'Hm.', thought: true }, { text }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 70, candidatesTokenCount: 5 },
    }),
    asked: (body) => [
      (body.systemInstruction as { parts: JsonObject[] }).parts[0]?.text,
      (body.contents as { parts: JsonObject[] }[])[0]?.parts[0]?.text,
    ],
  },
}

/** A talk without tools, which only a summary can make smaller. */
function talk({ request, extras }: Spoken, length: number): JsonObject {
  const texts = Array.from({ length }, (_, place) => {
    const words = Array.from({ length: 40 }, (_word, word) => `word${(word * 7 + place) % 10}`)
    return `Message ${place}: ${words.join(' ')}`
  })
  return { ...extras, ...request(texts) }
}

function isSummaryCall({ init }: SentCall): boolean {
  return String(init?.body).includes('You write the record')
}

afterEach(closeFetches)

interface TalkOptions {
  readonly policy?: ContextPolicy
  readonly summarize?: Summarize
  readonly headers?: Record<string, string>
  readonly asRequest?: boolean
  readonly write?: (call: SentCall) => Response | Promise<Response>
}

/** Goes on with a talk until it has to be folded, and tells what was sent then. */
async function foldTalk(spoken: Spoken, options: TalkOptions = {}) {
  const { write = () => jsonResponse(spoken.answer('They counted words.')), headers, asRequest } = options
  const probe = await openTestBranch()
  const { decision } = await probe.branch.prepare(talk(spoken, 17))
  const chat = openFetch({
    policy: { maxInputTokens: Math.floor(decision.counted / 0.8), ...options.policy },
    ...(options.summarize ? { summarize: options.summarize } : {}),
    answer: (call) => (isSummaryCall(call) ? write(call) : jsonResponse(spoken.answer('Two.'))),
  })
  await chat.dogear.warmUp()
  for (let length = 1; length <= 17; length += 2) {
    const init = post(talk(spoken, length), { headers: { 'content-type': 'application/json', ...headers } })
    const sending = asRequest ? chat.fetch(new Request(spoken.url, init)) : chat.fetch(spoken.url, init)
    await (await sending).text()
  }
  const { folds, settlements } = await (await chat.dogear.branch('chat')).journal()
  const last = chat.sent.at(-1)
  return {
    chat,
    folds,
    settlements,
    asked: chat.sent.filter(isSummaryCall),
    sentText: await new Request(last?.input ?? '', last?.init).text(),
  }
}

const spokenChat = formats['openai-chat'] as Spoken

describe.each(Object.entries(formats))('a summary by the model, over %s', (_name, spoken) => {
  it('[R155, R156] is asked on the way of the round, without what belongs to the conversation', async () => {
    const headers = { authorization: 'Bearer k', 'idempotency-key': 'one', 'content-length': '9' }
    const { chat, asked, folds, sentText } = await foldTalk(spoken, { headers })
    expect(asked).toHaveLength(1)
    const [call] = asked
    expect(call?.input).toBe(spoken.url.replace('streamGenerate', 'generate').replace('&alt=sse', ''))
    expect(call?.init?.method).toBe('POST')
    expect(Object.fromEntries(new Headers(call?.init?.headers))).toEqual({
      'content-type': 'application/json',
      authorization: 'Bearer k',
    })
    expect(call?.init?.signal).toBeInstanceOf(AbortSignal)
    const body: JsonObject = JSON.parse(String(call?.init?.body))
    expect(body).toMatchObject(spoken.kept)
    const listKeys = ['messages', 'input', 'instructions', 'system', 'contents', 'systemInstruction']
    expect(
      Object.keys(body)
        .filter((key) => !listKeys.includes(key))
        .sort(),
    ).toEqual(Object.keys(spoken.kept).sort())
    const [instructions, history] = spoken.asked(body)
    expect(instructions).toContain('You write the record')
    expect(history).toContain('User: Message 2:')
    expect(history).not.toContain('Message 11:')
    expect(folds).toMatchObject([
      {
        stage: 'all',
        outcome: 'landed',
        summarySource: 'model',
        summaryUsage: { input: 70, output: 5, isTotal: false },
      },
    ])
    expect(sentText).toContain('They counted words.')
    expect(sentText).not.toMatch(/Message 2:|Hm\./)
    expect(chat.warnings()).toEqual([])
  })
})

describe('a summary by the model', () => {
  it('is not recorded, and settles nothing', async () => {
    const { chat, settlements } = await foldTalk(spokenChat)
    expect(settlements).toHaveLength(9)
    const { entries } = await (await chat.dogear.branch('chat')).status()
    // Seventeen messages and the note.
    expect(entries).toBe(18)
  })

  it('goes with the settings of a request that came as one', async () => {
    const { asked, sentText } = await foldTalk(spokenChat, { asRequest: true, headers: { 'x-key': 'k' } })
    expect(asked).toHaveLength(1)
    expect(asked[0]?.input).toBe(chatUrl)
    expect(new Headers(asked[0]?.init?.headers).get('x-key')).toBe('k')
    expect(asked[0]?.init).toMatchObject({ method: 'POST', credentials: 'same-origin' })
    expect(sentText).toContain('They counted words.')
  })

  it.each(Object.entries(formats))(
    'of another name and effort is asked where the policy says so, over %s',
    async (name, spoken) => {
      const reasoning = { effort: 'high' }
      const policy: ContextPolicy = { compaction: { mode: 'summarize', model: 'small', reasoning } }
      const { asked } = await foldTalk(spoken, { policy })
      const body: JsonObject = JSON.parse(String(asked[0]?.init?.body))
      if (name === 'gemini') expect(asked[0]?.input).toContain('/models/small:generateContent?key=k')
      else expect(body.model).toBe('small')
      expect(JSON.stringify(body)).toContain(JSON.stringify(reasoning))
    },
  )

  it.each<[string, TalkOptions['write']]>([
    ['is refused', () => jsonResponse({ error: { message: 'slow down' } }, { status: 429 })],
    [
      'is refused in the words of an answer',
      () => jsonResponse(spokenChat.answer('slow down'), { status: 503 }),
    ],
    ['cannot be reached', () => Promise.reject(new TypeError('fetch failed'))],
    ['answers with nothing', () => jsonResponse(spokenChat.answer('  '))],
    ['answers with the report of an error', () => jsonResponse(spokenChat.answer('Error: no such model'))],
    ['answers with a page', () => new Response('<html>')],
    ['answers with calls', () => jsonResponse({ choices: [{ message: { tool_calls: [] } }] })],
  ])(
    '[R157] that %s leaves the lists of the note to stand alone, and the round goes out',
    async (_what, write) => {
      const { asked, folds, sentText } = await foldTalk(spokenChat, { ...(write ? { write } : {}) })
      expect(asked).toHaveLength(1)
      expect(folds).toMatchObject([{ stage: 'all', outcome: 'landed', summarySource: 'host' }])
      expect(sentText).not.toMatch(/slow down|no such model|<html>/)
      expect(JSON.parse(sentText).messages.length).toBeLessThan(17)
    },
  )

  it('is asked by nobody where the policy turns it off, and by the app where it has a function', async () => {
    const off = await foldTalk(spokenChat, { policy: { compaction: { mode: 'off' } } })
    expect(off.asked).toEqual([])
    expect(off.folds).toEqual([])
    const own = await foldTalk(spokenChat, { summarize: async () => 'In my own words.' })
    expect(own.asked).toEqual([])
    expect(own.folds).toMatchObject([{ summarySource: 'delegate' }])
    expect(own.sentText).toContain('In my own words.')
  })

  it('stands in once for a function of the app that failed', async () => {
    const { asked, folds, sentText } = await foldTalk(spokenChat, {
      policy: { compaction: { mode: 'delegate' } },
      summarize: () => Promise.reject(new Error('no')),
    })
    expect(asked).toHaveLength(1)
    expect(folds).toMatchObject([{ summarySource: 'model', outcome: 'landed' }])
    expect(sentText).toContain('They counted words.')
  })

  it('is forecast for the next request, and asked only by a request', async () => {
    const { chat, asked } = await foldTalk(spokenChat)
    const branch = await chat.dogear.branch('chat')
    const preview = await branch.preview({ maxInputTokens: 700 })
    expect(preview?.steps).toContainEqual(expect.objectContaining({ stage: 'all', outcome: 'needs_summary' }))
    expect(await branch.compact({ start: 0, end: 3 })).toMatchObject({ success: true, armed: true })
    expect(chat.sent.filter(isSummaryCall)).toHaveLength(asked.length)
  })
})
