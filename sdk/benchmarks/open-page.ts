import type { JsonObject } from '../engine/json.ts'
import { createDogear } from '../index.ts'

export interface Opened {
  readonly recordBytes: number
  readonly entries: number
  readonly viewEntries: number
  readonly openMs: number
  readonly prepareMs: number
}

declare global {
  /** What the script calls in the page. */
  var measureOpening: (entries: number) => Promise<Opened>
}

/** Of one message; so that 5,000 come to 50 MB. */
const MESSAGE_CHARS = 10_000
/** What an app that cuts its own front still holds. */
const HELD = 40
const RUNS = 7
const settings = { policy: { maxInputTokens: 'none' }, tokenizer: { engine: 'script' } } as const

/** Records so many messages, of which the newest are still sent, and opens them again, as after reloads. */
globalThis.measureOpening = async (entries) => {
  const messages = Array.from({ length: entries }, (_, place) => message(place))
  const before = createDogear(settings)
  const recorded = await before.branch('chat')
  await (await recorded.prepare({ model: 'm', messages })).settle({ usage: null })
  const held = messages.slice(-HELD)
  await (await recorded.prepare({ model: 'm', messages: held })).settle({ usage: null })
  const [{ bytes = 0 } = {}] = await before.branches()
  await before.close()

  const opens: number[] = []
  const prepares: number[] = []
  let viewEntries = 0
  for (let run = 0; run < RUNS; run++) {
    const dogear = createDogear(settings)
    await dogear.warmUp()
    const start = performance.now()
    const branch = await dogear.branch('chat')
    const opened = performance.now()
    held.push(message(entries + run))
    const { settle } = await branch.prepare({ model: 'm', messages: structuredClone(held) })
    const prepared = performance.now()
    await settle({ usage: null })
    viewEntries = (await branch.status()).inView
    await dogear.close()
    opens.push(opened - start)
    prepares.push(prepared - opened)
  }
  return { recordBytes: bytes, entries, viewEntries, openMs: median(opens), prepareMs: median(prepares) }
}

function message(place: number): JsonObject {
  const line = `Line of message ${place}: the keeper wrote ${(place * 7919) % 1009} words on day ${place % 365}. `
  return {
    role: place % 2 === 0 ? 'user' : 'assistant',
    content: line.repeat(Math.ceil(MESSAGE_CHARS / line.length)).slice(0, MESSAGE_CHARS),
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
