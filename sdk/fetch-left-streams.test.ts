import { afterEach, describe, expect, it } from 'vitest'
import { asks, chatUrl, closeFetches, openFetch, post, type TestFetch } from './testing/open-fetch.ts'

afterEach(closeFetches)

const delta = { choices: [{ delta: { content: 'Two' }, finish_reason: null }] }
const stop = { choices: [{ delta: {}, finish_reason: 'stop' }] }
const usage = { choices: [], usage: { prompt_tokens: 21, completion_tokens: 3 } }
const failed = { error: { message: 'Too busy', code: 503 } }

/** A chat whose answer is these events in one chunk, and a stream that goes on after them. */
function open(list: readonly unknown[], type = 'text/event-stream'): TestFetch {
  const text = list.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
  })
  return openFetch({ answer: () => new Response(body, { headers: { 'content-type': type } }) })
}

async function readOnce(chat: TestFetch) {
  const reader = (await chat.fetch(chatUrl, post(asks('Hello')))).body?.getReader()
  await reader?.read()
  return reader
}

async function settlements({ dogear }: TestFetch) {
  return (await (await dogear.branch('chat')).journal()).settlements
}

describe('a stream that its client does not read to the end', () => {
  it('is complete where the answer had come to its end', async () => {
    const chat = open([stop, usage])
    await (await readOnce(chat))?.cancel()
    expect(await settlements(chat)).toMatchObject([{ outcome: 'completed', usage: { input: 21 } }])
    expect(chat.warnings()).toEqual([])
  })

  it('is told to have another content type than its own', async () => {
    const chat = open([stop, usage], 'text/plain')
    await (await readOnce(chat))?.cancel()
    expect(await settlements(chat)).toMatchObject([{ outcome: 'completed' }])
    expect(chat.warnings()).toEqual(['response_of_other_type'])
  })

  it('is aborted where the answer was not at its end', async () => {
    const chat = open([delta])
    await (await readOnce(chat))?.cancel()
    expect(await settlements(chat)).toMatchObject([{ outcome: 'aborted' }])
    expect(chat.warnings()).toEqual([])
  })

  it('is a failure once its error has passed, though it is left lying', async () => {
    const chat = open([delta, failed])
    const reader = await readOnce(chat)
    expect(await settlements(chat)).toMatchObject([{ outcome: 'failed' }])
    await reader?.cancel()
    expect(await settlements(chat)).toHaveLength(1)
    expect(chat.warnings()).toEqual(['response_failed'])
  })
})
