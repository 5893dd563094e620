import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { commandTimeoutMs, entriesPerPage, heldEvents, keptPages, pagesAtOnce } from './limits.ts'
import { type Link, openLink } from './link.ts'
import type { PanelSnapshot } from './source.ts'
import { createPanelStore } from './store.ts'
import { type FakeSource, fakeSource, foldPreview, message } from './testing/fake-source.ts'
import { decided, decision, refusedDecision, snapshot } from './testing/journal-builder.ts'

let link: Link | undefined

function open(source: FakeSource) {
  const store = createPanelStore()
  link = openLink(source, store)
  return { store, link }
}

const settle = () => vi.advanceTimersByTimeAsync(2_000)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})

afterEach(() => {
  link?.close()
  vi.useRealTimers()
})

describe('openLink', () => {
  it('replays what happened before it was opened, then follows', async () => {
    const source = fakeSource({ snapshot: snapshot({ decisions: [decision(1), decision(2)] }) })
    const { store } = open(source)
    await settle()
    expect(store.getState().connection.type).toBe('connected')
    source.emit(decided(decision(3)))
    await settle()
    expect(store.getState().record.requests.map(({ decision }) => decision.requestId)).toEqual([
      'request-1',
      'request-2',
      'request-3',
    ])
  })

  it('loses nothing that happens while the snapshot is being taken', async () => {
    const source = fakeSource()
    let deliver: (taken: PanelSnapshot) => void = () => undefined
    source.takeSnapshot = () => new Promise((resolve) => (deliver = resolve))
    const { store } = open(source)
    source.emit(decided(decision(2)))
    await settle()
    deliver(snapshot({ decisions: [decision(1)] }))
    await settle()
    expect(store.getState().record.requests).toHaveLength(2)
  })

  it('takes the snapshot again when more happened meanwhile than it can hold', async () => {
    const source = fakeSource()
    const everything = Array.from({ length: heldEvents + 5 }, (_, at) => decision(at + 1))
    const deliver: ((taken: PanelSnapshot) => void)[] = []
    source.takeSnapshot = () => new Promise((resolve) => deliver.push(resolve))
    const { store } = open(source)
    await settle()
    source.emit(...everything.map(decided))
    deliver[0]?.(snapshot())
    await settle()
    expect(deliver).toHaveLength(2)
    deliver[1]?.(snapshot({ decisions: everything }))
    await settle()
    expect(store.getState().record.requests).toHaveLength(everything.length)
  })

  it('takes the snapshot again after a burst larger than it can hold', async () => {
    const source = fakeSource()
    const everything = Array.from({ length: heldEvents + 5 }, (_, at) => decision(at + 1))
    const taken = vi.fn(() => snapshot({ decisions: everything }))
    source.takeSnapshot = taken
    const { store } = open(source)
    await settle()
    source.emit(...everything.map(decided))
    await settle()
    expect(taken).toHaveBeenCalledTimes(2)
    expect(store.getState().record.requests).toHaveLength(everything.length)
  })

  it('applies a burst of events in few updates', async () => {
    const source = fakeSource()
    const { store } = open(source)
    await settle()
    const updates = vi.fn()
    store.subscribe((state, before) => state.record !== before.record && updates())
    for (let number = 1; number <= 100; number++) {
      source.emit(decided(decision(number)))
      await vi.advanceTimersByTimeAsync(10)
    }
    await settle()
    expect(store.getState().record.requests).toHaveLength(100)
    expect(updates.mock.calls.length).toBeLessThanOrEqual(7)
  })

  it('announces a refusal that happens, not one that is replayed', async () => {
    const source = fakeSource({ snapshot: snapshot({ decisions: [refusedDecision(1)] }) })
    const { store } = open(source)
    await settle()
    source.emit(decided(decision(2)))
    await settle()
    expect(store.getState().announcement).toBe('')
    source.emit(decided(refusedDecision(3)))
    await settle()
    expect(store.getState().announcement).toBe('Request 3. Refused: 70,000 is over 64,000')
  })

  it('asks for the next request’s size again after a decision', async () => {
    const source = fakeSource({ preview: foldPreview() })
    const { store } = open(source)
    await settle()
    expect(store.getState().preview).toMatchObject({ type: 'known', preview: { after: 41_200 } })
    source.answers.preview = () => ({ type: 'result', result: foldPreview({ after: 50_000 }) })
    source.emit(decided(decision(1)))
    await settle()
    expect(store.getState().preview).toMatchObject({ preview: { after: 50_000 } })
  })

  it('gives the reason when the snapshot fails, and recovers on reload', async () => {
    const source = fakeSource()
    const { takeSnapshot } = source
    source.takeSnapshot = () => Promise.reject(new Error('the store is gone'))
    const { store, link } = open(source)
    await settle()
    expect(store.getState().connection).toEqual({ type: 'failed', reason: 'the store is gone' })
    source.takeSnapshot = takeSnapshot
    link.reload()
    await settle()
    expect(store.getState().connection.type).toBe('connected')
  })

  it('counts silence as a failure', async () => {
    const source = fakeSource()
    source.answers.preview = () => new Promise(() => undefined)
    const { store } = open(source)
    await vi.advanceTimersByTimeAsync(commandTimeoutMs + 1_000)
    expect(store.getState().preview).toEqual({
      type: 'refused',
      reason: `no answer within ${commandTimeoutMs / 1_000} s; try again`,
    })
  })

  it('takes a source that throws for one that refuses', async () => {
    const source = fakeSource()
    source.answers.preview = () => Promise.reject(new Error('the port is closed'))
    const { store } = open(source)
    await settle()
    expect(store.getState().preview).toEqual({ type: 'refused', reason: 'the port is closed' })
  })

  it('ignores answers that come after it was closed', async () => {
    const source = fakeSource({ messages: [message(0)] })
    const deliver: (() => void)[] = []
    const late = () => new Promise<void>((resolve) => deliver.push(resolve))
    const { preview, 'get-messages': getMessages } = source.answers
    source.answers.preview = (command) => late().then(() => preview(command))
    source.answers['get-messages'] = (command) => late().then(() => getMessages(command))
    const { store, link } = open(source)
    await settle()
    source.takeSnapshot = () => late().then(() => snapshot({ decisions: [decision(1)] }))
    link.reload()
    link.wantEntries([0])
    const before = store.getState()
    link.close()
    expect(deliver).toHaveLength(3)
    for (const answer of deliver) answer()
    await settle()
    expect(store.getState()).toBe(before)
  })

  it('does nothing after it was closed', async () => {
    const source = fakeSource()
    const { store, link } = open(source)
    await settle()
    source.emit(decided(decision(1)))
    link.close()
    const asked = source.asked.length
    source.emit(decided(decision(2)))
    await settle()
    expect(source.listeners.size).toBe(0)
    expect(source.asked).toHaveLength(asked)
    expect(store.getState().record.requests).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('wantEntries', () => {
  const messages = Array.from({ length: 1_000 }, (_, index) => message(index))
  const pagesAsked = (source: FakeSource) =>
    source.asked.flatMap((command) =>
      command.type === 'get-messages' ? [command.start / entriesPerPage] : [],
    )

  it('fetches each page once, and again only after something changed', async () => {
    const source = fakeSource({ messages })
    const { store, link } = open(source)
    await settle()
    link.wantEntries([0, 5, 250])
    await settle()
    link.wantEntries([0, 5, 250])
    await settle()
    expect(pagesAsked(source)).toEqual([0, 2])
    expect(store.getState().entries.total).toBe(1_000)
    source.emit(decided(decision(1)))
    await settle()
    link.wantEntries([0])
    await settle()
    expect(pagesAsked(source)).toEqual([0, 2, 0])
  })

  it('fetches every page of a long list, a few at a time', async () => {
    const source = fakeSource({ messages })
    const { store, link } = open(source)
    await settle()
    let onTheirWay = 0
    let most = 0
    const answer = source.answers['get-messages']
    source.answers['get-messages'] = async (command) => {
      onTheirWay += 1
      most = Math.max(most, onTheirWay)
      await new Promise((resolve) => setTimeout(resolve, 5))
      onTheirWay -= 1
      return answer(command)
    }
    link.wantEntries(messages.map(({ index }) => index))
    await settle()
    expect(store.getState().entries.pages.size).toBe(10)
    expect(most).toBe(pagesAtOnce)
  })

  it('asks for no more pages than it can keep, the most wanted first', async () => {
    const many = Array.from({ length: (keptPages + 5) * entriesPerPage }, (_, index) => message(index))
    const source = fakeSource({ messages: many })
    const { store, link } = open(source)
    await settle()
    link.wantEntries(many.map(({ index }) => index).reverse())
    await settle()
    expect(pagesAsked(source)).toHaveLength(keptPages)
    expect(store.getState().entries.pages.has(keptPages + 4)).toBe(true)
    expect(store.getState().entries.pages.has(0)).toBe(false)
  })

  it('stops asking a source that fails until a person tries again', async () => {
    const source = fakeSource({ messages })
    source.answers['get-messages'] = () => ({ type: 'refused', reason: 'body is missing' })
    const { store, link } = open(source)
    await settle()
    link.wantEntries(messages.map(({ index }) => index))
    await settle()
    expect(store.getState().entries.failure).toBe('body is missing')
    const asked = pagesAsked(source).length
    link.wantEntries([0])
    await settle()
    expect(pagesAsked(source)).toHaveLength(asked)
    link.reload()
    await settle()
    link.wantEntries([0])
    await settle()
    expect(pagesAsked(source).length).toBeGreaterThan(asked)
  })
})
