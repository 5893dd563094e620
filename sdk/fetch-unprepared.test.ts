import { afterEach, describe, expect, it } from 'vitest'
import { memoryStore } from './stores/memory.ts'
import { makeConversation } from './testing/conversation.ts'
import { asks, chatUrl, closeFetches, openFetch, post } from './testing/open-fetch.ts'

afterEach(closeFetches)

const long = makeConversation({ seed: 71, format: 'openai-chat', rounds: 14 }).request

describe('a request that cannot be prepared', () => {
  it.each<[string, string, string]>([
    ['no JSON', '{"model": "m", "messages"', 'request_unreadable'],
    ['a JSON list', '[1]', 'request_unreadable'],
    ['an empty text', ' ', 'request_unreadable'],
    ['a JSON of another shape', '{"prompt":"Hello"}', 'request_not_prepared'],
    ['a list without messages', '{"messages":[]}', 'request_not_prepared'],
    ['messages that are none', '{"messages":["secret words"]}', 'request_not_prepared'],
  ])('for it is %s goes out as it came, and the app is told on the branch', async (_what, body, code) => {
    const chat = openFetch()
    const init = post(body)
    const response = await chat.fetch(chatUrl, init)
    expect(response.status).toBe(200)
    expect(chat.sent).toHaveLength(1)
    expect(chat.sent[0]?.init).toBe(init)
    expect(chat.warnings()).toEqual([code])
    expect(chat.events.at(-1)).toMatchObject({ type: 'warning', branchId: 'chat' })
    expect(JSON.stringify(chat.events)).not.toContain('secret')
    expect(await chat.dogear.branches()).toEqual([])
  })

  it('is told to the page where a function should have named its branch', async () => {
    let asked = 0
    const chat = openFetch({ branch: () => `chat${++asked}` })
    await chat.fetch(chatUrl, post('no JSON'))
    expect(chat.warnings()).toEqual(['request_unreadable'])
    expect(chat.events[0]).toMatchObject({ branchId: '' })
    expect(asked).toBe(0)
  })

  it('goes out as it came from a dogear that was closed', async () => {
    const chat = openFetch()
    await chat.dogear.close()
    const init = post(asks('Hello'))
    expect((await chat.fetch(chatUrl, init)).status).toBe(200)
    expect(chat.sent[0]?.init).toBe(init)
    expect(chat.warnings()).toEqual(['request_not_prepared'])
  })

  it('goes out as it came where its body or its headers cannot be read', async () => {
    const chat = openFetch()
    const used = new Request(chatUrl, post(asks('Hello')))
    await used.text()
    await chat.fetch(used)
    const init = post(asks('Hello'), { headers: { 'no header': 'x' } })
    await chat.fetch(chatUrl, init)
    expect(chat.sent.map(({ input }) => input)).toEqual([used, chatUrl])
    expect(chat.sent[1]?.init).toBe(init)
  })

  it('keeps no app waiting that gives up, however long a store takes, and ends what was prepared by then', async () => {
    const store = memoryStore()
    let release: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const slow = (method: 'load' | 'commit') => {
      const controller = new AbortController()
      const waits = async () => {
        controller.abort()
        await gate
      }
      const chat = openFetch({
        store: {
          ...store,
          async load(id) {
            if (method === 'load') await waits()
            return store.load(id)
          },
          async commit(change) {
            if (method === 'commit') await waits()
            await store.commit(change)
          },
        },
      })
      return { chat, sending: chat.fetch(chatUrl, post(asks('Hello'), { signal: controller.signal })) }
    }
    const loading = slow('load')
    await expect(loading.sending).rejects.toMatchObject({ name: 'AbortError' })
    const storing = slow('commit')
    await expect(storing.sending).rejects.toMatchObject({ name: 'AbortError' })
    release()
    const branch = await storing.chat.dogear.branch('chat')
    await branch.status()
    expect((await branch.journal()).settlements).toMatchObject([{ outcome: 'aborted' }])
    expect([...loading.chat.sent, ...storing.chat.sent]).toEqual([])
  })

  it('is given up when its signal says so, and nothing is sent', async () => {
    const chat = openFetch({ policy: { maxInputTokens: 6000 } })
    const controller = new AbortController()
    const reason = new Error('enough')
    const sending = chat.fetch(chatUrl, post(long, { signal: controller.signal }))
    controller.abort(reason)
    await expect(sending).rejects.toBe(reason)
    expect(chat.sent).toEqual([])
    await expect(chat.fetch(chatUrl, post(long, { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason)
    expect(chat.sent).toEqual([])
    expect(chat.warnings()).toEqual([])
    expect((await chat.fetch(chatUrl, post(long))).status).toBe(200)
  })
})
