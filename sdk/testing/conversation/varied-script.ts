import type { JsonObject } from '../../engine/json.ts'
import type { Random } from '../random.ts'
import { inventedImage } from './invented-image.ts'
import { hostileWords, unbroken, words } from './invented-text.ts'
import type { Call, Content, Part, Said, Thinking } from './script.ts'
import { type VariedResultOptions, variedResult } from './varied-result.ts'

export interface VariedScriptOptions {
  readonly rounds: number
  /** Longest result in words. */
  readonly resultWords: number
  readonly contextTool: boolean
  readonly thinks: boolean
  /** The provider takes images in results. */
  readonly resultImages: boolean
  /** The provider lets a call id come back in a later round. */
  readonly reusesIds: boolean
}

/**
 * Every shape that a conversation can have: up to sixteen calls at once, failed and interrupted ones, images,
 * thinking, results of many forms, texts in strings and in parts, and now and then what a provider would reject.
 */
export function variedScript(random: Random, options: VariedScriptOptions): readonly Said[] {
  const script: Said[] = []
  const reusesIds = options.reusesIds && random.chance(0.2)
  let entries = 1
  let left = options.rounds
  while (left > 0) {
    script.push({ type: 'ask', content: request(random) })
    entries++
    const rounds = Math.min(left, random.integer(1, 9))
    for (let round = 0; round < rounds; round++) {
      left--
      const isLast = round === rounds - 1
      const count = random.pick([1, 1, 1, 2, 2, 3, 5, random.integer(6, 16)])
      const calls = Array.from({ length: count }, (_, position) => {
        const id = reusesIds ? `call_${position}` : `call_${left}_${position}`
        return variedCall(random, options, { id, entries })
      })
      const interrupted = isLast && left > 0 && random.chance(0.15)
      script.push({
        type: 'answer',
        thinking: options.thinks ? thinking(random) : null,
        content: random.chance(0.5) ? speech(random) : null,
        calls: interrupted ? interrupt(random, calls) : calls,
        aside: !interrupted && random.chance(0.04) ? words(random, 8) : null,
      })
      entries += 1 + 2 * count
      // Some people do not wait for the answer.
      if (isLast && left > 0 && !interrupted && random.chance(0.9)) {
        script.push({
          type: 'answer',
          thinking: options.thinks ? thinking(random) : null,
          content: speech(random),
          calls: [],
          aside: null,
        })
        entries++
      }
    }
  }
  return script
}

function request(random: Random): Content {
  const task = `Task: ${random.chance(0.3) ? hostileWords(random, 40) : words(random, random.integer(1, 120))}`
  if (random.chance(0.7)) return task
  return Array.from({ length: random.integer(1, 3) }, (_, position): Part => {
    if (position > 0 && random.chance(0.5)) return { type: 'image', data: inventedImage(random) }
    // An empty text is a fault that real logs hold.
    return { type: 'text', text: position > 0 && random.chance(0.05) ? '' : `${task} ${position}` }
  })
}

function speech(random: Random): Content {
  const text = random.chance(0.2) ? hostileWords(random, 30) : words(random, random.integer(1, 60))
  return random.chance(0.5) ? text : [{ type: 'text', text }]
}

function thinking(random: Random): Thinking {
  return random.chance(0.1)
    ? { type: 'redacted', data: unbroken(random, 80) }
    : { type: 'open', text: words(random, random.integer(1, 60)), signature: unbroken(random, 90) }
}

function interrupt(random: Random, calls: readonly Call[]): readonly Call[] {
  const answered = random.integer(0, calls.length - 1)
  return calls.map((call, position) => (position < answered ? call : { ...call, result: null }))
}

function variedCall(
  random: Random,
  options: VariedScriptOptions,
  place: { readonly id: string; readonly entries: number },
): Call {
  const { contextTool, resultImages, resultWords } = options
  if (contextTool && random.chance(0.1)) return contextCall(random, place)
  const results: VariedResultOptions = { words: resultWords, images: resultImages }
  return {
    id: place.id,
    name: random.pick(['search', 'read_file', 'list_files', 'run']),
    input: inputOf(random),
    result: variedResult(random, results),
  }
}

function inputOf(random: Random): JsonObject {
  return random.pick<() => JsonObject>([
    () => ({}),
    () => ({ path: `notes/${words(random, 1)}/${random.integer(0, 99)}.md` }),
    () => ({ query: words(random, random.integer(1, 60)), limit: random.integer(1, 50), exact: true }),
    () => ({ path: unbroken(random, 1200), edits: [{ old: hostileWords(random, 5), new: '' }] }),
  ])()
}

/** The model reads back what it was given, or looks at what it has. */
function contextCall(random: Random, place: { readonly id: string; readonly entries: number }): Call {
  const index = random.integer(0, Math.max(0, place.entries - 1))
  const { input, output } = random.pick<() => { input: JsonObject; output: JsonObject }>([
    () => ({
      input: { action: 'read_result', index, offset: 0, limit: 4000 },
      output: { success: true, text: words(random, random.integer(1, 500)), total: 9000, nextOffset: 4000 },
    }),
    () => ({ input: { action: 'status' }, output: { success: true, entries: place.entries } }),
    () => ({ input: { action: 'restore', start: index }, output: { success: false, reason: 'it is there' } }),
  ])()
  return {
    id: place.id,
    name: 'context',
    input,
    result: { content: JSON.stringify(output), failed: false },
  }
}
