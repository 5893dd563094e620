import { beforeAll, describe, expect, it } from 'vitest'
import { type ClipBench, clipBench, landed } from '../../testing/clip-context.ts'
import { withCopy } from '../../testing/made-entries.ts'
import { type Random, seededRandom } from '../../testing/random.ts'
import { loadRanks } from '../../tokenizer/load-ranks.ts'
import { createScriptCounter, type ScriptCounter } from '../../tokenizer/script-counter.ts'
import type { JsonValue } from '../json.ts'
import type { Line } from '../record.ts'
import { codePoints } from '../text.ts'
import type { Proposal } from './stage.ts'

let counter: ScriptCounter

beforeAll(async () => {
  counter = createScriptCounter(await loadRanks())
})

const kinds = [
  (random: Random) =>
    `The ${random.pick(['report', 'reader', 'valley'])} was ${random.integer(1, 9999)} away. `,
  (random: Random) =>
    `{"id": ${random.integer(1, 1e9)}, "tags": ["a", "b"], "path": "/srv/data/${random.integer(1, 99)}"}\n`,
  (random: Random) => Array.from({ length: 40 }, () => random.integer(0, 35).toString(36)).join(''),
  (random: Random) => ' '.repeat(random.integer(1, 60)),
  (random: Random) => random.pick(['数据已经写入文件。', 'Данные записаны. ', '😀🎉', 'naïve façade — ']),
] as const

function textOf(random: Random, length: number): string {
  let text = ''
  let kind = random.pick(kinds)
  while (text.length < length) {
    if (random.chance(0.05)) kind = random.pick(kinds)
    text += kind(random)
  }
  return text
}

function logOf(random: Random, length: number): string {
  let text = ''
  while (text.length < length) text += random.pick([kinds[0], kinds[1]])(random)
  return text
}

function contentOf(random: Random): JsonValue {
  const length = random.integer(200, 12_000)
  if (random.chance(0.6)) return textOf(random, length)
  return JSON.stringify({
    success: true,
    out: textOf(random, length),
    rows: Array.from({ length: random.integer(1, 600) }, (_, row) => ({ row, value: row * 7 })),
    note: textOf(random, random.integer(1, 4000)),
  })
}

function benchOf(random: Random): ClipBench {
  const bound = random.pick([undefined, 1024, 4000, 20_000])
  return clipBench({
    format: random.pick(['openai-chat', 'anthropic']),
    contents: Array.from({ length: random.integer(1, 5) }, () => contentOf(random)),
    count: (text) => counter.count(text),
    ...(bound === undefined ? {} : { maxChars: bound }),
  })
}

/** The line after the first so many cuts of a proposal, each original with one copy. */
function afterCuts({ line, context }: ClipBench, proposal: Proposal, cuts: number): Line {
  let after = line
  for (const { copy } of proposal.added) {
    const source = line.record[copy?.original ?? -1]?.source
    const known = context.sources.get(source?.first ?? -1)?.known
    if (copy === undefined || source === undefined || known === undefined) continue
    const bodies = context.wire.resultBodies(known.snapshot).get(source.draft) ?? []
    const made = (proposal.clipped ?? []).slice(0, cuts).filter(({ index }) => index === copy.original)
    const kept = bodies.map((body, ordinal) =>
      made.some(({ chars }) => chars === codePoints(body.source)) ? (copy.kept[ordinal] ?? null) : null,
    )
    if (made.length > 0) after = withCopy(after, copy.original, kept)
  }
  return after
}

describe('whatever is clipped', () => {
  for (let seed = 1; seed <= 40; seed++)
    it(`[R135, R138, R150, R193, R199] is cut no further than is needed, each cut lowers the count, seed ${seed}`, () => {
      const random = seededRandom(seed)
      const bench = benchOf(random)
      const before = bench.context.size.counted
      const over = random.integer(1, Math.ceil(before * random.pick([0.02, 0.3, 0.9])))
      const proposal = bench.propose(over)
      expect(bench.propose(over)).toEqual(proposal)
      if (proposal === null) return
      const cuts = proposal.clipped ?? []
      const sizes = cuts.map((_, made) => bench.sizeOf(afterCuts(bench, proposal, made)).counted)
      const after = bench.sizeOf(landed(bench.line, proposal)).counted
      expect(sizes[0]).toBe(before)
      for (const [position, size] of [...sizes.slice(1), after].entries())
        expect(size).toBeLessThan(sizes[position] ?? 0)
      // Whatever was cut before the last of them was not enough, and could give no more.
      for (const size of sizes) expect(size).toBeGreaterThan(before - over)
      for (const { kept } of cuts.slice(0, -1)) expect(kept).toBe(1024)
      for (const { kept, chars } of cuts) expect(kept >= 1024 && kept < chars).toBe(true)
      const last = cuts.at(-1)
      if (after > before - over) expect(cuts.every(({ kept }) => kept === 1024)).toBe(true)
      else if (last && last.kept > 1024) {
        const left = (sizes.at(-1) ?? 0) - (before - over)
        expect(before - over - after).toBeLessThanOrEqual(Math.max(left / 8, 32))
      }
    })

  for (let seed = 1; seed <= 8; seed++)
    it(`[R178, R201] a copy shows just what it says that it keeps, seed ${seed}`, () => {
      const random = seededRandom(seed)
      const bench = benchOf(random)
      const proposal = bench.propose(random.integer(1, bench.context.size.counted))
      const line = landed(bench.line, proposal)
      const sent = bench.sent(line)
      for (const copy of proposal?.added ?? []) {
        const content = String(sent[bench.results.indexOf(copy.copy?.original ?? -1)])
        for (const [ordinal, kept] of (copy.copy?.kept ?? []).entries()) {
          if (kept === null) continue
          const mapping = content.startsWith('{"success"') ? Object.values(JSON.parse(content)) : null
          const text = String(mapping === null ? content : mapping[ordinal + 1])
          const source = text
            .replace(/^\[JSON preview\] /, '')
            .replace(/\n\[\d+ of \d+ characters[^\n]*\]\n/, '')
          expect(codePoints(source)).toBe(kept)
        }
      }
    })
})

describe('what a clip costs', () => {
  const fan = (random: Random, results: number): JsonValue[] =>
    Array.from({ length: results }, () => logOf(random, 20_000))

  it.each([
    ['openai-chat', 1],
    ['openai-chat', 0.2],
    ['anthropic', 1],
    ['anthropic', 0.2],
  ] as const)(
    '[R200] tokenizes at most twice what changes and measures no whole request, %s, %f of sixteen',
    (format, share) => {
      const bench = clipBench({
        format,
        contents: fan(seededRandom(3), 16),
        count: (text) => counter.count(text),
      })
      const proposal = bench.propose(Math.floor(bench.context.size.counted * share))
      const changed = (proposal?.clipped ?? []).reduce((sum, { chars }) => sum + chars, 0)
      expect(proposal?.clipped?.length).toBeGreaterThan(2)
      expect(bench.tokenized()).toBeLessThan(2 * changed)
      expect(bench.measured()).toBe(0)
    },
  )

  it('tokenizes at most twice what changes of the many bodies of one result', () => {
    const random = seededRandom(4)
    const values = Object.fromEntries(fan(random, 20).map((text, key) => [`key${key}`, text]))
    const bench = clipBench({ contents: [JSON.stringify(values)], count: (text) => counter.count(text) })
    const proposal = bench.propose(Math.floor(bench.context.size.counted / 2))
    const changed = (proposal?.clipped ?? []).reduce((sum, { chars }) => sum + chars, 0)
    expect(bench.tokenized()).toBeLessThan(2 * changed)
  })

  it('counts a body that can only be told with its neighbours with the whole request', () => {
    // No text of these has a place where it may be cut.
    const bench = clipBench({ contents: ['😀'.repeat(9000)], count: (text) => counter.count(text) })
    const proposal = bench.propose(2000)
    expect(bench.measured()).toBeGreaterThan(0)
    const after = bench.sizeOf(landed(bench.line, proposal)).counted
    expect(after).toBeLessThanOrEqual(bench.context.size.counted - 2000)
    expect(() => encodeURIComponent(String(bench.sent(landed(bench.line, proposal))))).not.toThrow()
  })
})
