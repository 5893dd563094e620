import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Branch } from '../branch.ts'
import { createDogear } from '../dogear.ts'
import { memoryStore } from '../stores/memory.ts'
import { createProvider } from '../testing/provider/provider.ts'
import { type ProviderServer, startProviderServer } from '../testing/provider/server.ts'
import { loadRanks } from '../tokenizer/load-ranks.ts'
import { createScriptCounter } from '../tokenizer/script-counter.ts'

let server: ProviderServer

beforeAll(async () => {
  const counter = createScriptCounter(await loadRanks())
  const provider = createProvider({
    models: { small: { window: 3600 } },
    count: (text) => counter.count(text),
    answer: ({ messages }) => ({ text: `Heard ${messages.length}.` }),
  })
  server = await startProviderServer(provider)
})

afterAll(() => server.close())

const words = (place: number): string =>
  Array.from({ length: 60 }, (_, word) => `word${(word * 7 + place) % 97}`).join(' ')

/** What an app does that sends by itself: nothing of it needs a cast, for what comes back has the type of what went in. */
async function answer(client: OpenAI, branch: Branch, messages: OpenAI.ChatCompletionMessageParam[]) {
  const params: OpenAI.ChatCompletionCreateParamsNonStreaming = {
    model: 'small',
    messages,
    tools: [branch.contextTool.definition('openai-chat')],
  }
  const prepared = await branch.prepare(params, {
    send: (request, { signal }) => client.chat.completions.create(request, { signal }),
  })
  try {
    const response = await client.chat.completions.create(prepared.request)
    await prepared.settle({ response })
    return response
  } catch (error) {
    const status = error instanceof OpenAI.APIError ? error.status : undefined
    const { retry } = await prepared.settle({ error, status })
    if (!retry) throw error
    const response = await client.chat.completions.create(retry.request)
    await retry.settle({ response })
    return response
  }
}

describe('a round that an app sends by hand', () => {
  it('[R321, R347] goes through an overflow by what settle returns', async () => {
    const dogear = createDogear({
      policy: { maxInputTokens: 'none' },
      store: memoryStore(),
      tokenizer: { engine: 'script' },
    })
    const branch = await dogear.branch('chat')
    const client = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'test' })
    const messages: OpenAI.ChatCompletionMessageParam[] = []
    for (let turn = 0; turn < 20; turn++) {
      messages.push({ role: 'user', content: words(turn) })
      const { choices } = await answer(client, branch, messages)
      expect(choices[0]?.message.content).toMatch(/^Heard/)
      messages.push({ role: 'assistant', content: words(turn + 50) })
    }
    const { folds, settlements } = await branch.journal()
    expect(folds.filter(({ reason }) => reason === 'overflow').length).toBeGreaterThan(0)
    expect(settlements.filter(({ outcome }) => outcome === 'failed').every(({ overflow }) => overflow)).toBe(
      true,
    )
    await dogear.close()
  })
})
