import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../engine/json.ts'
import { ask, type Spoken, spoken } from './ask-provider.ts'
import { fetchFrom } from './in-place-of-network.ts'
import { createProvider, type Interference, type Provider } from './provider.ts'
import type { ProviderTurn } from './turn.ts'

const schema = { type: 'object', properties: { place: { type: 'string' } } }

/** One talk, in the shape of each format. */
const talks: Readonly<Record<Spoken, JsonObject>> = {
  'openai-chat': {
    model: 'm',
    tools: [{ type: 'function', function: { name: 'look', parameters: schema } }],
    messages: [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: [{ type: 'text', text: 'Look.' }] },
      {
        role: 'assistant',
        content: 'I do.',
        tool_calls: [
          { id: 'a', type: 'function', function: { name: 'look', arguments: '{"place":"here"}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'a', content: 'a box' },
    ],
  },
  'openai-responses': {
    model: 'm',
    instructions: 'Be short.',
    tools: [{ type: 'function', name: 'look', parameters: schema }],
    input: [
      { role: 'user', content: [{ type: 'input_text', text: 'Look.' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'I do.' }] },
      { type: 'function_call', call_id: 'a', name: 'look', arguments: '{"place":"here"}' },
      { type: 'function_call_output', call_id: 'a', output: 'a box' },
    ],
  },
  anthropic: {
    model: 'm',
    max_tokens: 9,
    system: [{ type: 'text', text: 'Be short.' }],
    tools: [{ name: 'look', input_schema: schema }],
    messages: [
      { role: 'user', content: 'Look.' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I do.' },
          { type: 'tool_use', id: 'a', name: 'look', input: { place: 'here' } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'a box' }] },
    ],
  },
  gemini: {
    model: 'm',
    systemInstruction: { parts: [{ text: 'Be short.' }] },
    tools: [{ functionDeclarations: [{ name: 'look', parametersJsonSchema: schema }] }],
    contents: [
      { role: 'user', parts: [{ text: 'Look.' }] },
      {
        role: 'model',
        parts: [
          { text: 'I thought of it.', thought: true },
          { text: 'I do.' },
          { functionCall: { id: 'a', name: 'look', args: { place: 'here' } } },
        ],
      },
      {
        role: 'user',
        parts: [{ functionResponse: { id: 'a', name: 'look', response: { output: 'a box' } } }],
      },
    ],
  },
}

function open(interfere: (number: number) => Interference | null = () => null): {
  readonly provider: Provider
  readonly turns: readonly ProviderTurn[]
} {
  const turns: ProviderTurn[] = []
  const provider = createProvider({
    models: { m: { window: 1000 } },
    count: (text) => text.length,
    answer: (turn) => {
      turns.push(turn)
      return { text: 'Yes.' }
    },
    interfere: (_, number) => interfere(number),
  })
  return { provider, turns }
}

describe.each(spoken)('a provider that is spoken to in %s', (format) => {
  it('hands the script what the request says, and logs the request', async () => {
    const { provider, turns } = open()
    expect((await ask(provider, format, talks[format])).status).toBe(200)
    const [{ messages, ...turn } = { messages: [] }] = turns
    expect(turn).toEqual({ model: 'm', system: 'Be short.', tools: [{ name: 'look', schema }] })
    const said = messages.map(({ role, text }) => `${role}: ${text}`).filter((line) => !line.endsWith(': '))
    expect(said).toEqual(['user: Look.', 'assistant: I do.'])
    expect(messages.flatMap(({ calls }) => calls)).toEqual([
      { id: 'a', name: 'look', arguments: { place: 'here' } },
    ])
    expect(messages.flatMap(({ results }) => results)).toEqual([
      { callId: 'a', text: 'a box', isError: false },
    ])
    expect(provider.requests).toMatchObject([{ status: 200, turn: { model: 'm' } }])
  })

  it('does not know every model', async () => {
    const { provider, turns } = open()
    const response = await ask(provider, format, { ...talks[format], model: 'other' })
    expect(response.status).toBe(404)
    expect(JSON.stringify(await response.json())).toContain('The model other does not exist')
    expect([turns.length, provider.requests.length]).toEqual([0, 1])
  })

  it('does what it is told to in place of an answer, or to it', async () => {
    const told: readonly Interference[] = [
      { type: 'reject', status: 503 },
      { type: 'reject', status: 429, body: { said: 'later' } },
      { type: 'respond', response: () => new Response('teapot', { status: 418 }) },
      { type: 'delay', milliseconds: 1 },
      { type: 'report', usage: { input: 4321 } },
    ]
    const { provider } = open((number) => told[number - 1] ?? null)
    const answers: (readonly [number, string])[] = []
    for (const _ of told) {
      const response = await ask(provider, format, talks[format])
      answers.push([response.status, await response.text()])
    }
    expect(answers.map(([status]) => status)).toEqual([503, 429, 418, 200, 200])
    expect(answers[0]?.[1]).toContain('The server had an error')
    expect(answers.slice(1, 3).map(([, text]) => text)).toEqual(['{"said":"later"}', 'teapot'])
    expect(answers[4]?.[1]).toMatch(/:4321\b/)
    expect(provider.requests.map(({ status }) => status)).toEqual([503, 429, 418, 200, 200])
  })
})

describe('a provider', () => {
  const post = (path: string, body: string, headers: Readonly<Record<string, string>> = {}): Request =>
    new Request(`https://provider.test${path}`, { method: 'POST', body, headers })

  it('takes JSON at the addresses that it has, and is open to every page', async () => {
    const { provider } = open()
    expect((await provider.fetch(post('/v1/chat/completions', 'go'))).status).toBe(400)
    expect((await provider.fetch(post('/v1/embeddings', '{}'))).status).toBe(404)
    const asked = await provider.fetch(
      new Request('https://provider.test/v1/messages', { method: 'OPTIONS' }),
    )
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    expect(provider.requests).toEqual([])
  })

  it('takes the model of an Azure deployment from its address', async () => {
    const { provider } = open()
    const { model: _, ...body } = talks['openai-chat']
    const path = '/openai/deployments/m/chat/completions'
    expect((await provider.fetch(post(path, JSON.stringify(body)))).status).toBe(200)
    expect(provider.requests[0]).toMatchObject({ path, turn: { model: 'm' } })
  })

  it('logs no key', async () => {
    const { provider } = open()
    const headers = {
      authorization: 'Bearer sesame',
      'x-api-key': 'sesame',
      'x-goog-api-key': 'sesame',
      'x-shown': 'yes',
    }
    await provider.fetch(post('/v1/chat/completions', JSON.stringify(talks['openai-chat']), headers))
    const logged = provider.requests[0]?.headers ?? {}
    expect(logged['x-shown']).toBe('yes')
    expect(JSON.stringify(logged)).not.toContain('sesame')
  })

  it('goes on with a response that it was to keep, and knows none that it was not', async () => {
    const { provider, turns } = open()
    const follow = async (store: boolean): Promise<Response> => {
      const first = await ask(provider, 'openai-responses', { model: 'm', input: 'One.', store })
      const { id } = (await first.json()) as JsonObject
      const input = [{ role: 'user', content: 'Two.' }]
      return ask(provider, 'openai-responses', { model: 'm', input, previous_response_id: id ?? null })
    }
    expect((await follow(true)).status).toBe(200)
    expect(turns.at(-1)?.messages.map(({ text }) => text)).toEqual(['One.', 'Yes.', 'Two.'])
    const unknown = await follow(false)
    expect(unknown.status).toBe(400)
    expect(await unknown.json()).toMatchObject({ error: { code: 'previous_response_not_found' } })
  })

  it('stands in for the network, which an abort ends', async () => {
    const { provider } = open(() => ({ type: 'delay', milliseconds: 20 }))
    const fetched = fetchFrom(provider)
    const request = { method: 'POST', body: JSON.stringify(talks.anthropic) }
    const url = 'https://provider.test/v1/messages'
    expect((await fetched(url, request)).status).toBe(200)
    const controller = new AbortController()
    const aborted = fetched(url, { ...request, signal: controller.signal })
    controller.abort()
    await expect(aborted).rejects.toThrow(/abort/i)
  })
})
