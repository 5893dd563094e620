import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import type { Provider } from './provider.ts'

export interface ProviderServer {
  /** Without a slash at its end. */
  readonly url: string
  close(): Promise<void>
}

/** Serves a provider to this machine alone. */
export async function startProviderServer(provider: Provider): Promise<ProviderServer> {
  const server = createServer(async (incoming, outgoing) => {
    const { method = 'GET', url = '/', headers } = incoming
    const given = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    )
    const chunks: Uint8Array[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
    const request = new Request(new URL(url, 'http://127.0.0.1'), {
      method,
      headers: given,
      ...(hasBody ? { body: Buffer.concat(chunks) } : {}),
    })
    const response = await provider.fetch(request)
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    if (!response.body) {
      outgoing.end()
      return
    }
    // A client that goes away, and an answer that breaks off, end the connection and nothing else.
    await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing).catch(() =>
      outgoing.destroy(),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new TypeError('a server that listens has a port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections()
        server.close((error) => (error ? reject(error) : resolve()))
      }),
  }
}
