import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { nextSafeCut } from '../engine/safe-cut.ts'
import { loadRanks } from './load-ranks.ts'
import { createReferenceEncoder } from './reference-encoder.ts'
import { createScriptCounter, type ScriptCounter } from './script-counter.ts'

const folder = join(process.env.DOGEAR_SHARED ?? '../shared', 'data', 'corpus')
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(folder, join(entry.parentPath, entry.name)))

/** UTF-16 units after which the reference gets a new text; above `LONGEST` it would take too long. */
const PART = 4_096
const LONGEST = 20_000

const encoder = createReferenceEncoder()
let counter: ScriptCounter

beforeAll(async () => {
  counter = createScriptCounter(await loadRanks())
})

/** The text in parts that end at safe cuts, so that their counts add up to that of the whole. */
function partsOf(text: string): string[] {
  const parts: string[] = []
  for (let from = 0; from < text.length; ) {
    const cut = nextSafeCut(text, from + PART)
    const to = cut === -1 ? text.length : cut
    parts.push(text.slice(from, to))
    from = to
  }
  return parts
}

describe('the script counter on recorded conversations', () => {
  it('finds them', () => {
    expect(files.length).toBeGreaterThan(50)
  })

  it.each(files)('counts as the reference does: %s', (file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const parts = partsOf(text)
    const comparable = parts.filter((part) => part.length <= LONGEST)
    for (const part of comparable) expect(counter.count(part)).toBe(encoder.encode_ordinary(part).length)
    const sum = parts.reduce((tokens, part) => tokens + counter.count(part), 0)
    expect(counter.count(text)).toBe(sum)
    expect(comparable.join('').length).toBeGreaterThan(0.99 * text.length)
  })
})
