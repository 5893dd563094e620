import { afterEach, describe, expect, it } from 'vitest'
import { asks, chatUrl, closeFetches, openFetch, post, type TestFetch } from './testing/open-fetch.ts'

afterEach(closeFetches)

const events = [
  { choices: [{ delta: { content: 'Zwölf €' } }] },
  { choices: [{ delta: {}, finish_reason: 'stop' }] },
  { choices: [], usage: { prompt_tokens: 21, completion_tokens: 3 } },
]
const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')
const headers = { 'content-type': 'text/event-stream' }

function open(answer: () => Response): TestFetch {
  return openFetch({ answer })
}

describe('dogear.fetch in a browser', () => {
  it.each<[string, () => Parameters<typeof fetch>]>([
    ['a string', () => [chatUrl, post(asks('Hello'))]],
    ['a blob', () => [chatUrl, post('', { body: new Blob([JSON.stringify(asks('Hello'))]) })]],
    ['a request', () => [new Request(chatUrl, post(asks('Hello')))]],
    ['a request of this page', () => ['/v1/chat/completions', post(asks('Hello'))]],
  ])('records a request that came as %s, and passes its stream through', async (_kind, call) => {
    const chat = open(() => new Response(text, { headers }))
    const response = await chat.fetch(...call())
    expect(await response.text()).toBe(text)
    const { settlements } = await (await chat.dogear.branch('chat')).journal()
    expect(settlements).toMatchObject([{ outcome: 'completed', usage: { input: 21, output: 3 } }])
    expect(chat.warnings()).toEqual([])
  })

  it('lets an app read into buffers of its own', async () => {
    const chat = open(() => new Response(text, { headers }))
    const reader = (await chat.fetch(chatUrl, post(asks('Hello')))).body?.getReader({ mode: 'byob' })
    let read = ''
    const decoder = new TextDecoder()
    for (;;) {
      const { done, value } = (await reader?.read(new Uint8Array(7))) ?? { done: true }
      if (done) break
      read += decoder.decode(value, { stream: true })
    }
    expect(read).toBe(text)
  })

  it('hands over what the network answered, as a bare fetch does', async () => {
    const { dogear } = open(() => new Response())
    const call = ['/v1/chat/completions', post(asks('Hello'))] as const
    const bare = await fetch(...call)
    const passed = await dogear.fetch({ branch: 'chat' })(...call)
    const facts = ({ status, statusText, url, type, redirected }: Response) => ({
      ...{ status, statusText, url, type, redirected },
    })
    expect(facts(passed)).toEqual(facts(bare))
    expect(await passed.text()).toBe(await bare.text())
    expect((await (await dogear.branch('chat')).journal()).settlements).toHaveLength(1)
  })

  it.each([
    ['no JSON', '<html></html>'],
    ['half of it', '{"choices":[{"mess'],
  ])('lets a body that is %s fail as it does on a bare fetch', async (_what, body) => {
    const bare = (): Promise<Response> => fetch(`data:application/json,${encodeURIComponent(body)}`)
    const failureOf = (response: Response): Promise<unknown> => response.json().then(() => null, String)
    const passed = await openFetch({ answer: bare }).fetch(chatUrl, post(asks('Hello')))
    expect(await failureOf(passed.clone())).toBe(await failureOf(await bare()))
    expect(await failureOf(passed)).toBe(await failureOf(await bare()))
  })
})
