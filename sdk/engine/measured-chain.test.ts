import { describe, expect, it } from 'vitest'
import { type ChainLink, countedLink, isSamePlace, type Place } from './measured-chain.ts'

const snapshot = { role: 'user' }
const place: Place = { snapshot, indexes: [1, 2], before: { owner: 0, text: 'a' }, model: 'm' }
const link: ChainLink = { ...place, after: { owner: 2, text: 'z' }, text: [], media: [] }

describe('the place of a measured message', () => {
  it('is the same for the same message behind the same text, under the same indexes', () => {
    expect(isSamePlace(link, { ...place })).toBe(true)
    expect(isSamePlace(link, { ...place, before: { owner: 0, text: 'a' }, indexes: [1, 2] })).toBe(true)
    expect(isSamePlace({ ...link, indexes: null }, { ...place, indexes: null })).toBe(true)
  })

  it.each<[string, Partial<Place>]>([
    ['an equal message that is another object', { snapshot: { role: 'user' } }],
    ['other text before it', { before: { owner: 0, text: 'b' } }],
    ['text before it that is somebody else’s', { before: { owner: 1, text: 'a' } }],
    ['another index', { indexes: [1, 3] }],
    ['other indexes from the first on', { indexes: [0, 2] }],
    ['more indexes', { indexes: [1, 2, 3] }],
    ['fewer indexes', { indexes: [1] }],
    ['no indexes', { indexes: null }],
  ])('is another with %s', (_what, change) => {
    expect(isSamePlace(link, { ...place, ...change })).toBe(false)
    expect(isSamePlace({ ...link, ...change }, place)).toBe(false)
  })

  it('is another for another model where it holds media, which each model counts by rates of its own', () => {
    const other = { ...place, model: 'n' }
    expect(isSamePlace(link, other)).toBe(true)
    const withMedia = { ...link, media: [{ owner: 1, tokens: 9 }] }
    expect(isSamePlace(withMedia, other)).toBe(false)
    expect(isSamePlace(withMedia, place)).toBe(true)
  })
})

describe('a link that is counted', () => {
  it('adds its own pieces to what was counted of it already, by owner', () => {
    const closed = ['a', 'bb', 'ccc', 'dd', 'e'].map((text, at) => ({ owner: at === 3 ? 7 : 5, text }))
    const uncounted = { ...link, text: [{ owner: 1, tokens: 40 }], from: 1, to: 4 }
    expect(countedLink(uncounted, closed, ({ length }) => length)).toEqual({
      ...link,
      text: [
        { owner: 1, tokens: 40 },
        { owner: 5, tokens: 5 },
        { owner: 7, tokens: 2 },
      ],
    })
  })
})
