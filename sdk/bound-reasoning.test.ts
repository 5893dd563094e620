import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from './engine/json.ts'
import { closeFetches, openFetch, post, type TestFetch } from './testing/open-fetch.ts'
import { createProvider, type Provider } from './testing/provider/provider.ts'

const url = 'https://provider.test/v1/messages'

function open(): TestFetch & { readonly provider: Provider } {
  const provider = createProvider({
    models: { '*': { window: 100_000, thinking: 'preserved' } },
    count: (text) => Math.ceil(text.length / 4),
    answer: ({ messages }) => ({ text: `Heard ${messages.length}.`, reasoning: 'They speak.' }),
  })
  const test = openFetch({
    policy: { maxInputTokens: 'none' },
    answer: ({ input, init }) => provider.fetch(new Request(input, init)),
  })
  return { ...test, provider }
}

const request = (messages: readonly JsonObject[]): JsonObject => ({
  model: 'claude-opus-5-5',
  max_tokens: 100,
  messages,
})

/** A conversation whose second question the app changed after it was answered. */
async function edited(test: TestFetch): Promise<readonly JsonObject[]> {
  const said: JsonObject[] = [{ role: 'user', content: 'One.' }]
  for (const next of ['Two.', 'Three.']) {
    const response = await test.fetch(url, post(request(said)))
    const { content } = (await response.json()) as JsonObject
    said.push({ role: 'assistant', content }, { role: 'user', content: next })
  }
  return said.map((message, place) => (place === 0 ? { role: 'user', content: 'Another one.' } : message))
}

afterEach(closeFetches)

describe('reasoning that is bound to another beginning', () => {
  it('is left out, and the request sent once more, where the provider rejects it', async () => {
    const test = open()
    const messages = await edited(test)
    const before = test.provider.requests.length
    const response = await test.fetch(url, post(request(messages)))
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('Heard 5.')
    const sent = test.provider.requests.slice(before)
    expect(sent.map(({ status }) => status)).toEqual([400, 200])
    expect(JSON.stringify(sent[1]?.body)).not.toContain('"thinking"')
    expect(test.warnings()).toContain('reasoning_rejected')
    const { settlements } = await (await test.dogear.branch('chat')).journal()
    expect(settlements.at(-1)?.outcome).toBe('completed')
  })

  it("is the app's affair where it is rejected again, or for another reason", async () => {
    const rejected = {
      type: 'error',
      error: {
        type: 'invalid_request_error',
        message: 'messages.1.content.0: Invalid `signature` in `thinking` block. It is bound.',
      },
    }
    const test = openFetch({
      policy: { maxInputTokens: 'none' },
      answer: () =>
        new Response(JSON.stringify(rejected), {
          status: 400,
          headers: { 'content-type': 'application/json' },
        }),
    })
    const messages = [
      { role: 'user', content: 'One.' },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'x', signature: 's' },
          { type: 'text', text: 'y' },
        ],
      },
      { role: 'user', content: 'Two.' },
    ]
    const response = await test.fetch(url, post(request(messages)))
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual(rejected)
    expect(test.sent).toHaveLength(2)
  })
})
