import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { createDogear, type Dogear } from './dogear.ts'
import { memoryStore } from './stores/memory.ts'
import { asks, chatUrl, closeFetches, openFetch, post, type TestFetch } from './testing/open-fetch.ts'
import { seededRandom } from './testing/random.ts'

const dogears: Dogear[] = []
const servers: Server[] = []

afterEach(async () => {
  for (const dogear of dogears.splice(0)) await dogear.close()
  await closeFetches()
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

function open(answer: () => Response): TestFetch {
  return openFetch({ answer })
}

/** A body whose chunks the test hands out one by one. */
function heldBody() {
  let pulls = 0
  let cancelled: unknown
  let handle: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        handle = controller
      },
      pull: () => void pulls++,
      cancel: (reason) => {
        cancelled = reason
      },
    },
    { highWaterMark: 0 },
  )
  const controller = handle as ReadableStreamDefaultController<Uint8Array>
  return {
    body,
    give: (text: string) => controller.enqueue(new TextEncoder().encode(text)),
    end: () => controller.close(),
    breakOff: (error: unknown) => controller.error(error),
    pulls: () => pulls,
    cancelled: () => cancelled,
  }
}

const eventStream = { headers: { 'content-type': 'text/event-stream' } }

function chunk(content: string): string {
  return `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`
}

async function outcomes({ dogear }: TestFetch): Promise<readonly unknown[]> {
  return (await (await dogear.branch('chat')).journal()).settlements.map(({ outcome }) => outcome)
}

describe('a streamed answer', () => {
  it('hands over the response before any of its body has come, and each chunk in the turn in which it comes', async () => {
    const held = heldBody()
    const chat = open(() => new Response(held.body, eventStream))
    const reader = (await chat.fetch(chatUrl, post(asks('Hello')))).body?.getReader()
    for (const part of [chunk('T'), 'data: {"cho', 'ices":[]}\n\ndata: [DO', 'NE]\n\n']) {
      const seen: string[] = []
      reader?.read().then(({ value }) => seen.push(new TextDecoder().decode(value)))
      await nextTurn()
      expect(seen).toEqual([])
      held.give(part)
      await nextTurn()
      expect(seen).toEqual([part])
    }
    held.end()
    expect(await reader?.read()).toMatchObject({ done: true })
    expect(await outcomes(chat)).toEqual(['completed'])
  })

  it('is read only as fast as the app reads it', async () => {
    const held = heldBody()
    const chat = open(() => new Response(held.body, eventStream))
    const reader = (await chat.fetch(chatUrl, post(asks('Hello')))).body?.getReader()
    await nextTurn()
    expect(held.pulls()).toBe(0)
    for (let count = 1; count <= 3; count++) {
      const reading = reader?.read()
      await nextTurn()
      held.give(chunk('word'))
      await reading
      await nextTurn()
      expect(held.pulls()).toBe(count)
    }
  })

  it("ends upstream when the app cancels it, with the app's reason", async () => {
    const held = heldBody()
    const chat = open(() => new Response(held.body, eventStream))
    const response = await chat.fetch(chatUrl, post(asks('Hello')))
    await response.body?.cancel('enough')
    expect(held.cancelled()).toBe('enough')
    expect(await outcomes(chat)).toEqual(['aborted'])
  })

  it('breaks for the app with the very error with which it broke', async () => {
    const held = heldBody()
    const chat = open(() => new Response(held.body, eventStream))
    const reading = (await chat.fetch(chatUrl, post(asks('Hello')))).text()
    const error = new TypeError('terminated')
    held.breakOff(error)
    await expect(reading).rejects.toBe(error)
    expect(await outcomes(chat)).toEqual(['failed'])
    expect(chat.warnings()).toEqual(['response_truncated'])
  })

  it('can be read into buffers of the app where the body of the bare response can', async () => {
    const chat = open(() => new Response('data: {}\n\n', eventStream))
    const reader = (await chat.fetch(chatUrl, post(asks('Hello')))).body?.getReader({ mode: 'byob' })
    const first = await reader?.read(new Uint8Array(4))
    expect(new TextDecoder().decode(first?.value)).toBe('data')
    const rest = await reader?.read(new Uint8Array(100))
    expect(new TextDecoder().decode(rest?.value)).toBe(': {}\n\n')
    expect(await reader?.read(new Uint8Array(4))).toMatchObject({ done: true })
  })

  it('keeps its hands off memory that its source goes on using, and passes on chunks that hold nothing', async () => {
    const pool = new TextEncoder().encode(`${chunk('T')}the rest of a pool`)
    const chunks = [pool.subarray(0, 4), new Uint8Array(), pool.subarray(4, chunk('T').length)]
    const source = new ReadableStream({
      start(controller) {
        for (const each of chunks) controller.enqueue(each)
        controller.close()
      },
    })
    const chat = open(() => new Response(source, eventStream))
    const reader = (await chat.fetch(chatUrl, post(asks('Hello')))).body?.getReader()
    for (const each of chunks) expect((await reader?.read())?.value).toBe(each)
    expect(await reader?.read()).toMatchObject({ done: true })
    expect(new TextDecoder().decode(pool)).toContain('the rest of a pool')
  })

  it('can be cloned, and says of itself what the network said', async () => {
    const chat = open(() => {
      const answer = new Response(chunk('T'), { ...eventStream, status: 206, statusText: 'Partial' })
      return Object.defineProperties(answer, { url: { value: chatUrl }, redirected: { value: true } })
    })
    const response = await chat.fetch(chatUrl, post(asks('Hello')))
    const facts = { url: chatUrl, redirected: true, type: 'default', status: 206, statusText: 'Partial' }
    expect(response).toMatchObject({ ...facts, ok: true })
    const copy = response.clone()
    expect(copy).toMatchObject(facts)
    expect(await copy.text()).toBe(chunk('T'))
    expect(await response.text()).toBe(chunk('T'))
  })
})

/** A server on this machine that answers every request in the same way. */
async function serve(answer: (response: ServerResponse, request: string) => void): Promise<string> {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => answer(response, body))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/chat/completions`
}

function openReal(): { readonly dogear: Dogear; readonly fetch: typeof fetch } {
  const dogear = createDogear({ store: memoryStore() })
  dogears.push(dogear)
  return { dogear, fetch: dogear.fetch({ branch: 'chat' }) }
}

describe('over a real connection', () => {
  it.each([
    ['events', 'text/event-stream', 200],
    ['noise', 'application/octet-stream', 200],
    ['a rejection', 'application/json', 529],
  ])('%s arrive byte for byte, with status and headers (seed 31)', async (_what, type, status) => {
    const random = seededRandom(31)
    const bytes =
      type === 'text/event-stream'
        ? new TextEncoder().encode(chunk('Zwölf €').repeat(900))
        : Uint8Array.from({ length: 40_000 }, () => random.integer(0, 255))
    const url = await serve((response) => {
      response.writeHead(status, 'As It Is', { 'content-type': type, 'x-request-id': 'r1' })
      for (let from = 0; from < bytes.length; from += 777) response.write(bytes.subarray(from, from + 777))
      response.end()
    })
    const { fetch: dogearFetch } = openReal()
    const [bare, passed] = [
      await fetch(url, post(asks('Hello'))),
      await dogearFetch(url, post(asks('Hello'))),
    ]
    const facts = ({ status, statusText, url, redirected, type, ok }: Response) => ({
      ...{ status, statusText, url, redirected, type, ok },
    })
    const headers = (response: Response) => [...response.headers].filter(([name]) => name !== 'date')
    expect(facts(passed)).toEqual(facts(bare))
    expect(headers(passed)).toEqual(headers(bare))
    expect(new Uint8Array(await passed.arrayBuffer())).toEqual(new Uint8Array(await bare.arrayBuffer()))
  })

  it('the body that the app wrote is what the server gets', async () => {
    const got: string[] = []
    const url = await serve((response, body) => {
      got.push(body)
      response.end('{}')
    })
    const body = '{ "model": "m",\n "messages": [{"role":"user","content":"\\u20ac €"}], "top_p": 1.0 }'
    await openReal().fetch(url, post(body))
    expect(got).toEqual([body])
  })

  it.each(['cancels', 'aborts'])('closes it when the app %s', async (how) => {
    let closed: () => void = () => undefined
    const closing = new Promise<void>((resolve) => {
      closed = resolve
    })
    const url = await serve((response) => {
      response.on('close', closed)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(chunk('T'))
    })
    const controller = new AbortController()
    const { dogear, fetch: dogearFetch } = openReal()
    const response = await dogearFetch(url, post(asks('Hello'), { signal: controller.signal }))
    const reader = response.body?.getReader()
    await reader?.read()
    if (how === 'cancels') await reader?.cancel()
    else {
      const reading = reader?.read()
      controller.abort()
      await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
    }
    await closing
    const { settlements } = await (await dogear.branch('chat')).journal()
    expect(settlements).toMatchObject([{ outcome: 'aborted' }])
  })
})
