import { beforeAll, describe, expect, it } from 'vitest'
import { type Random, seededRandom } from '../testing/random.ts'
import { countByCharacter } from './character-merge.ts'
import { loadRanks } from './load-ranks.ts'
import { createMergeTable, type MergeTable, NO_RANK } from './merge-table.ts'
import { createMerges } from './merges.ts'
import { areNeighbours } from './neighbours.ts'
import { type RankPairs, SINGLE_BYTES, unpackRanks } from './ranks.ts'
import { createTokenRow, mergeRow, placeBytes } from './token-row.ts'
import { createTreeMerge } from './tree-merge.ts'

const SEED = 40_961

type Range = readonly [low: number, high: number]

/** Kana, Han, Hangul and full-width forms. */
const EAST_ASIAN: readonly [Range, ...Range[]] = [
  [0x3040, 0x30ff],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0xff01, 0xff20],
]

let pairs: RankPairs
let table: MergeTable

beforeAll(async () => {
  pairs = unpackRanks(await loadRanks())
  table = createMergeTable(pairs)
})

/** Byte pair encoding in its plainest form. */
function encode(bytes: Uint8Array): number[] {
  const ranks = Array.from(bytes, (byte) => table.byteRanks[byte] ?? -1)
  for (;;) {
    const joins = ranks.slice(1).map((rank, i) => table.rankOf(ranks[i] ?? -1, rank))
    const lowest = Math.min(NO_RANK, ...joins)
    if (lowest === NO_RANK) return ranks
    ranks.splice(joins.indexOf(lowest), 2, lowest)
  }
}

function bytesOf(rank: number): number[] {
  const [left = 0, right = 0] = [pairs.left[rank], pairs.right[rank]]
  return rank < SINGLE_BYTES ? [right] : [...bytesOf(left), ...bytesOf(right)]
}

/** Text of tokens, of few letters, or of any bytes, with one more behind the end. */
function randomBytes(random: Random, length: number): Uint8Array {
  const bytes: number[] = []
  const source = random.pick(['tokens', 'letters', 'one letter', 'bytes'])
  const letter = random.integer(97, 122)
  while (bytes.length <= length) {
    if (source === 'tokens') bytes.push(...bytesOf(random.integer(0, random.pick([2_000, pairs.size - 1]))))
    else if (source === 'letters') bytes.push(letter - random.integer(0, 2))
    else bytes.push(source === 'bytes' ? random.integer(0, 255) : letter)
  }
  return Uint8Array.from(bytes).subarray(0, length + 1)
}

describe('the merge table', () => {
  it('knows the join of every pair and no other', () => {
    const { left, right, size } = pairs
    for (let rank = SINGLE_BYTES; rank < size; rank++) {
      if (table.rankOf(left[rank] ?? -1, right[rank] ?? -1) !== rank)
        expect.fail(`rank ${rank} was not found`)
    }
    const known = new Set(Array.from(left, (first, rank) => `${first} ${right[rank]}`).slice(SINGLE_BYTES))
    const random = seededRandom(SEED)
    for (let i = 0; i < 20_000; i++) {
      const [first, second] = [random.integer(0, size - 1), random.integer(0, size - 1)]
      if (!known.has(`${first} ${second}`)) expect(table.rankOf(first, second)).toBe(NO_RANK)
    }
  })
})

describe('merging', () => {
  it(`gives the tokens of byte pair encoding, in a row and in a tree (seed ${SEED})`, () => {
    const random = seededRandom(SEED)
    const row = createTokenRow(200)
    const tree = createTreeMerge(table, 200)
    for (let i = 0; i < 4_000; i++) {
      const length = random.integer(1, random.chance(0.8) ? 24 : 200)
      const bytes = randomBytes(random, length)
      const expected = encode(bytes.subarray(0, length))
      placeBytes(table, row, 0, bytes, 0, length)
      const tokens = mergeRow(table, row, 0, length)
      expect(Array.from(row.ranks.subarray(0, tokens))).toEqual(expected)
      expect(tree.merge(bytes, 0, length)).toBe(expected.length)
      const found: number[] = []
      for (let offset = 0; offset < length; offset = tree.ends[offset] ?? length) {
        found.push(tree.ranks[offset] ?? -1)
      }
      expect(found).toEqual(expected)
    }
  })

  it('merges a part of a row and leaves what stands before', () => {
    const row = createTokenRow(20)
    const bytes = Uint8Array.from(Buffer.from('xhello'))
    placeBytes(table, row, 0, bytes, 0, 1)
    placeBytes(table, row, 1, bytes, 1, 6)
    const before = row.joins[0]
    expect(mergeRow(table, row, 1, 5)).toBe(1)
    expect(row.joins[0]).toBe(before)
    const expected = [bytes.subarray(0, 1), bytes.subarray(1)].flatMap(encode)
    expect(Array.from(row.ranks.subarray(0, 2))).toEqual(expected)
  })

  it(`counts East Asian text by the character, where that is the encoding (seed ${SEED})`, () => {
    const random = seededRandom(SEED)
    const row = createTokenRow(256)
    const found = { counted: 0, refused: 0 }
    for (let i = 0; i < 4_000; i++) {
      const character = () => String.fromCodePoint(random.integer(...random.pick(EAST_ASIAN)))
      const bytes = Uint8Array.from(
        Buffer.from(Array.from({ length: random.integer(1, 40) }, character).join('')),
      )
      const tokens = countByCharacter(table, row, bytes, 0, bytes.length)
      if (tokens !== undefined) expect(tokens).toBe(encode(bytes).length)
      found[tokens === undefined ? 'refused' : 'counted']++
    }
    expect(found.counted).toBeGreaterThan(3_900)
    expect(found.refused).toBeGreaterThan(5)
    for (const text of ['你好 你好', '你好😀', 'é你']) {
      const bytes = Uint8Array.from(Buffer.from(text))
      expect(countByCharacter(table, row, bytes, 0, bytes.length), text).toBeUndefined()
    }
  })

  it('counts from where it is told to where it is told', () => {
    const count = createMerges(table)
    const bytes = Uint8Array.from(Buffer.from('xx hello worldworldworldworld xx'))
    expect(count(bytes, 2, 8)).toBe(1)
    expect(count(bytes, 2, 29)).toBe(encode(bytes.subarray(2, 29)).length)
  })

  it(`finds neighbours where encoding leaves the two apart (seed ${SEED})`, () => {
    const random = seededRandom(SEED)
    const found = { neighbours: 0, others: 0 }
    for (let i = 0; i < 6_000; i++) {
      const highest = random.pick([300, 3_000, pairs.size - 1])
      let first = random.integer(0, highest)
      let second = random.integer(0, highest)
      // Two parts of one token, or of two, meet oftener in texts than any two tokens.
      if (random.chance(0.5)) {
        const bytes = Uint8Array.from([...bytesOf(first), ...bytesOf(second)])
        const cut = random.integer(1, bytes.length - 1)
        first = encode(bytes.subarray(0, cut)).at(-1) ?? 0
        second = encode(bytes.subarray(cut))[0] ?? 0
      }
      const expected = encode(Uint8Array.from([...bytesOf(first), ...bytesOf(second)]))
      const apart = expected.length === 2 && expected[0] === first && expected[1] === second
      expect(areNeighbours(table, first, second), `${first} ${second}`).toBe(apart)
      found[apart ? 'neighbours' : 'others']++
    }
    expect(Math.min(found.neighbours, found.others)).toBeGreaterThan(1_000)
  })

  it.each([16, 64, 1_024])(
    `counts in windows of %i bytes what it counts at once (seed ${SEED})`,
    (window) => {
      const random = seededRandom(SEED)
      const inWindows = createMerges(table, window)
      for (let i = 0; i < 300; i++) {
        const length = random.integer(1, 10 * window)
        const bytes = randomBytes(random, length)
        expect(inWindows(bytes, 0, length)).toBe(createTreeMerge(table, length).merge(bytes, 0, length))
      }
    },
  )

  it('takes wider windows where narrow ones do not fit together', () => {
    // 300 spaces are few tokens of over a hundred bytes: no window of 16 can hold one.
    const bytes = new Uint8Array(301).fill(0x20)
    expect(createMerges(table, 16)(bytes, 0, 300)).toBe(encode(bytes.subarray(0, 300)).length)
  })
})
