import { describe, expect, it } from 'vitest'
import { type EntryEnd, lastEndOf } from './entry-end.ts'
import type { WireMessage } from './format.ts'

describe('the end of entries', () => {
  it('[R284] is that of the last of them that is sent', () => {
    const messages: readonly WireMessage[] = [
      { native: {}, snapshot: {}, indexes: [0] },
      { native: {}, snapshot: {}, indexes: [1, 2] },
      { native: {}, snapshot: {}, indexes: [4, 5, 6] },
    ]
    const end = (...members: readonly number[]): EntryEnd | null =>
      lastEndOf(messages, (index) => members.includes(index))
    expect(end(0, 1, 2, 3)).toEqual({ position: 1, draft: 1 })
    expect(end(1, 4, 5)).toEqual({ position: 2, draft: 1 })
    expect(end(3)).toBeNull()
  })
})
