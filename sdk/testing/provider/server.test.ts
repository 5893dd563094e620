import { afterEach, describe, expect, it } from 'vitest'
import { createProvider, type Provider, type ProviderOptions } from './provider.ts'
import { type ProviderServer, startProviderServer } from './server.ts'

const servers: ProviderServer[] = []

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function start(
  interfere: NonNullable<ProviderOptions['interfere']> = () => null,
): Promise<{ readonly provider: Provider; readonly url: string }> {
  const provider = createProvider({
    models: { m: { window: 1000 } },
    count: (text) => text.length,
    answer: () => ({ text: 'Yes, and so on. '.repeat(20) }),
    interfere,
  })
  const server = await startProviderServer(provider)
  servers.push(server)
  return { provider, url: server.url }
}

const body = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'go' }] }
const post = (sent: object): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(sent),
  headers: { 'content-type': 'application/json', 'x-api-key': 'k' },
})

describe('a provider behind a server', () => {
  it('answers on this machine as it does in place', async () => {
    const { provider, url } = await start()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const response = await fetch(`${url}/v1/messages`, post(body))
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ content: [{ text: 'Yes, and so on. '.repeat(20) }] })
    expect((await fetch(`${url}/v1/messages`, { method: 'OPTIONS' })).status).toBe(204)
    expect((await fetch(`${url}/v1/models`)).status).toBe(400)
    expect(provider.requests).toMatchObject([{ path: '/v1/messages', body, status: 200 }])
  })

  it('streams, and passes a rejection on', async () => {
    const { url } = await start()
    const streamed = await fetch(`${url}/v1/messages`, post({ ...body, stream: true }))
    expect(streamed.headers.get('content-type')).toBe('text/event-stream')
    expect(await streamed.text()).toMatch(/event: message_stop\n.*\n\n$/)
    const rejected = await fetch(`${url}/v1/messages`, post({ ...body, messages: [] }))
    expect(rejected.status).toBe(400)
    expect(await rejected.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
  })

  it('breaks a connection off where the answer does, and lives through a client that goes', async () => {
    const { url } = await start((_, number) => (number === 1 ? { type: 'cut', afterChunks: 3 } : null))
    const cut = await fetch(`${url}/v1/messages`, post({ ...body, stream: true }))
    await expect(cut.text()).rejects.toThrow()
    const left = await fetch(`${url}/v1/messages`, post({ ...body, stream: true }))
    await left.body?.cancel()
    expect((await fetch(`${url}/v1/messages`, post(body))).status).toBe(200)
  })
})
