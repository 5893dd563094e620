import { describe, expect, it } from 'vitest'
import { holdRejection, rejectionBody } from './fetch-rejection.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/** A body of these pieces, one for each read; what stands behind them is how it ends. */
function bodyOf(pieces: readonly Uint8Array[], end: 'closed' | Error | 'open' = 'closed') {
  const seen: { cancelled?: unknown; read: number } = { read: 0 }
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        const piece = pieces[seen.read]
        if (piece) {
          seen.read++
          controller.enqueue(piece as Uint8Array<ArrayBuffer>)
        } else if (end === 'closed') controller.close()
        else if (end instanceof Error) controller.error(end)
        else return new Promise(() => undefined)
        return undefined
      },
      cancel(reason) {
        seen.cancelled = reason
      },
    },
    { highWaterMark: 0 },
  )
  return { body, seen }
}

function hold(
  { body }: ReturnType<typeof bodyOf>,
  { init = { status: 400 }, signal }: { readonly init?: ResponseInit; readonly signal?: AbortSignal } = {},
): ReturnType<typeof holdRejection> {
  return holdRejection(new Response(null, init), body, signal)
}

const said = { error: { message: 'zu lang: 語' } }

describe('the body of a response that may say that a request is too long', () => {
  it('[R322] is that of a rejection for its size, and of a server that passes one on', () => {
    const isHeld = (status: number) => rejectionBody(new Response('{}', { status })) !== null
    expect(
      [200, 400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 501, 502, 503, 504, 529].filter(isHeld),
    ).toEqual([400, 413, 422, 500, 502])
  })

  it('is none where there is none, or where it is a stream of another kind', () => {
    expect(rejectionBody(new Response(null, { status: 400 }))).toBeNull()
    const other = { status: 400, body: { pipe: () => undefined } } as unknown as Response
    expect(rejectionBody(other)).toBeNull()
  })
})

describe('a rejection that is read before it is passed on', () => {
  it('is said as JSON, in whatever pieces it comes, and passed on as it came', async () => {
    const bytes = encode(JSON.stringify(said))
    const { error, response } = await hold(bodyOf([...bytes].map((byte) => Uint8Array.of(byte))))
    expect(error).toEqual(said)
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes)
  })

  it('is said as text where it is no JSON, with a character that was cut off marked as one', async () => {
    expect((await hold(bodyOf([encode('Bad Request')]))).error).toBe('Bad Request')
    expect((await hold(bodyOf([encode('語').slice(0, 2)]))).error).toBe('\ufffd')
    expect((await hold(bodyOf([]))).error).toBe('')
  })

  it('keeps what the network said of it', async () => {
    const init = { status: 413, statusText: 'Too Large', headers: { 'x-request-id': 'r1' } }
    const { response } = await hold(bodyOf([encode('{}')]), { init })
    expect(response).toMatchObject({ status: 413, statusText: 'Too Large' })
    expect(response.headers.get('x-request-id')).toBe('r1')
    const from = Object.defineProperty(new Response(null, { status: 400 }), 'url', {
      value: 'https://a.test/',
    })
    const copied = await holdRejection(from, bodyOf([encode('{}')]).body, undefined)
    expect(copied.response.url).toBe('https://a.test/')
  })

  it('is read no further than its words can be long, and the rest as the app reads it', async () => {
    const pieces = Array.from({ length: 8 }, (_, place) => encode(`${place}`.repeat(20_000)))
    const source = bodyOf(pieces)
    const { error, response } = await hold(source)
    expect(source.seen.read).toBe(5)
    expect(String(error)).toHaveLength(100_000)
    expect(await response.text()).toBe(pieces.map((piece) => new TextDecoder().decode(piece)).join(''))
    expect(source.seen.read).toBe(8)
  })

  it('ends upstream when the app has enough of it, with its reason', async () => {
    const source = bodyOf([encode('x'.repeat(100_000)), encode('more')], 'open')
    const { response } = await hold(source)
    await response.body?.cancel('enough')
    expect(source.seen.cancelled).toBe('enough')
  })

  it('breaks for the app with what it broke with, and says as much as came of it', async () => {
    const broken = new Error('connection lost')
    const { error, response } = await hold(bodyOf([encode('{"error":')], broken))
    expect(error).toBe('{"error":')
    await expect(response.text()).rejects.toBe(broken)
  })

  it('keeps no app waiting that gives up, and lets go of the network', async () => {
    const stop = new AbortController()
    const source = bodyOf([encode('{"error":')], 'open')
    const holding = hold(source, { signal: stop.signal })
    const reason = new Error('enough')
    stop.abort(reason)
    const { response } = await holding
    expect(source.seen.cancelled).toBe(reason)
    await expect(response.text()).rejects.toBe(reason)
  })
})
