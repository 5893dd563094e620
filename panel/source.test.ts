import { expect, it, vi } from 'vitest'
import type { Branch } from '../sdk/branch.ts'
import type { DogearEvent } from '../sdk/events.ts'
import { branchSource } from './source.ts'
import { branchId, decided, decision } from './testing/journal-builder.ts'

function setUp(methods: Partial<Branch>) {
  const listeners = new Set<(event: DogearEvent) => void>()
  const feed = {
    subscribe(listener: (event: DogearEvent) => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
  const branch = { id: branchId, ...methods } as Branch
  const emit = (event: DogearEvent) => {
    for (const listener of listeners) listener(event)
  }
  return { source: branchSource(feed, branch), emit, listeners }
}

it('passes on the events of its own branch only, and none after the unsubscribe', () => {
  const { source, emit, listeners } = setUp({})
  const listener = vi.fn()
  const unsubscribe = source.subscribe(listener)
  const own = decided(decision(1))
  emit(own)
  emit({ ...own, branchId: 'another' })
  expect(listener.mock.calls).toEqual([[own]])
  unsubscribe()
  emit(own)
  expect(listener).toHaveBeenCalledTimes(1)
  expect(listeners.size).toBe(0)
})

it('asks for all entries, those out of the request included', async () => {
  const getMessages = vi.fn(async () => ({ total: 0, messages: [] }))
  const { source } = setUp({ getMessages })
  await source.command({ type: 'get-messages', start: 0, end: 100 })
  expect(getMessages).toHaveBeenCalledWith({ scope: 'all', start: 0, end: 100 })
})

it('answers a restore that does not fit with the engine’s reason', async () => {
  const { source } = setUp({ restore: async () => ({ success: false, reason: 'over its ceiling' }) })
  expect(await source.command({ type: 'restore', start: 3, end: 4 })).toEqual({
    type: 'refused',
    reason: 'over its ceiling',
  })
})

it('turns an error into a reason with its code, and never rejects', async () => {
  const closed = Object.assign(new Error('branch is closed; open it again'), { code: 'branch_closed' })
  const { source } = setUp({ preview: () => Promise.reject(closed) })
  expect(await source.command({ type: 'preview' })).toEqual({
    type: 'refused',
    reason: 'branch is closed; open it again',
    code: 'branch_closed',
  })
})
