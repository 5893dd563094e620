import type { JsonValue } from '../../engine/json.ts'
import type { Random } from '../random.ts'
import { inventedImage } from './invented-image.ts'
import { hostileWords, unbroken, words } from './invented-text.ts'
import type { CallResult, Content, Part } from './script.ts'

export interface VariedResultOptions {
  /** Longest text in words. */
  readonly words: number
  /** Results may hold images. */
  readonly images: boolean
}

/** What a tool answered: text, blocks, JSON of any form, next to nothing, or too much. */
export function variedResult(random: Random, options: VariedResultOptions): CallResult {
  if (random.chance(0.08)) return { content: failure(random), failed: true }
  const choice = random.next()
  if (choice < 0.05) return { content: random.pick(['', ' ', '{}', '[]', 'null', 'ok']), failed: false }
  if (choice < 0.3) return { content: mapping(random, options), failed: false }
  if (choice < 0.35) return { content: JSON.stringify(list(random, options.words)), failed: false }
  if (choice < 0.5) return { content: blocks(random, options), failed: false }
  return { content: text(random, options), failed: false }
}

function failure(random: Random): Content {
  return random.chance(0.5)
    ? `Error: ${words(random, random.integer(1, 12))}`
    : JSON.stringify({ success: false, error: hostileWords(random, random.integer(1, 400)) })
}

/** Most texts are short and a few are as long as they may be, as with real tools. */
function text(random: Random, { words: most }: VariedResultOptions): string {
  const length = Math.max(1, Math.round(most * random.next() ** 3))
  if (random.chance(0.05)) return unbroken(random, length * 5)
  return random.chance(0.3) ? hostileWords(random, length) : words(random, length)
}

function blocks(random: Random, options: VariedResultOptions): readonly Part[] {
  return Array.from({ length: random.integer(1, 4) }, (): Part => {
    if (options.images && random.chance(0.2)) return { type: 'image', data: inventedImage(random) }
    return { type: 'text', text: random.chance(0.2) ? mapping(random, options) : text(random, options) }
  })
}

/** A JSON object as tools write it: spaced or not, with keys that a program may sort. */
function mapping(random: Random, options: VariedResultOptions): string {
  const keys = ['content', 'items', 'success', 'error', 'meta', 'count', '10', '2', 'ключ', '🧭', '__proto__']
  const chosen = new Set(['content', ...keys.filter(() => random.chance(0.4))])
  const entries = [...chosen].map(
    (key) => `${JSON.stringify(key)}:${JSON.stringify(value(random, options, key))}`,
  )
  const written = `{${entries.join(',')}}`
  return random.chance(0.2) ? JSON.stringify(JSON.parse(written), null, 2) : written
}

function value(random: Random, options: VariedResultOptions, key: string): JsonValue {
  if (key === 'success') return random.chance(0.7)
  if (key === 'error') return hostileWords(random, random.integer(0, 300))
  return random.pick([
    () => text(random, options),
    () => text(random, options),
    () => list(random, options.words),
    () => ({ b: 1, a: { d: [true, null], c: text(random, { ...options, words: options.words / 4 }) } }),
    () => random.pick([0, -1.5, 1e21, true, false, null, '']),
  ])()
}

function list(random: Random, most: number): JsonValue {
  const length = random.integer(0, Math.max(1, Math.round(most / 2)))
  return Array.from({ length }, (_, position) => (random.chance(0.1) ? words(random, 2) : position))
}
