import { beforeAll, describe, expect, it } from 'vitest'
import { makeConversation } from '../testing/conversation.ts'
import { seededRandom } from '../testing/random.ts'
import { loadRanks } from '../tokenizer/load-ranks.ts'
import { createScriptCounter, type ScriptCounter } from '../tokenizer/script-counter.ts'
import { formats } from '../wire/detect.ts'
import { ownName } from './digest.ts'
import type { Format, WireFormat } from './format.ts'
import { type KnownMessage, takeIn, takeInFields } from './intake.ts'
import type { JsonObject } from './json.ts'
import { MeasureMemory, measureRequest, type RequestSize } from './measure.ts'
import { answerCounts, asksNothing, runPlan } from './plan.ts'
import type { Entry } from './record.ts'

/** The header of a PNG of 2,048 by 2,048 pixels. */
const LARGE_PNG = 'iVBORw0KGgoAAAANSUhEUgAACAAAAAgACAYAAAA'

const countedKeys = ['system', 'messages', 'tools']

let counter: ScriptCounter

beforeAll(async () => {
  counter = createScriptCounter(await loadRanks())
})

function wireOf(format: Format): WireFormat {
  const wire = formats.find((known) => known.format === format)
  if (!wire) throw new TypeError(`no wire for ${format}`)
  return wire
}

function measure(
  wire: WireFormat,
  request: JsonObject,
  memory: MeasureMemory,
  {
    taken = new Map(),
    model,
    firstIndex = 0,
  }: { taken?: Map<unknown, KnownMessage>; model?: string; firstIndex?: number } = {},
): { size: RequestSize; asked: readonly string[] } {
  const outcome = wire.read(request)
  if (outcome.type === 'fault') throw new TypeError(outcome.fault.path)
  const read = outcome.request
  const take = (list: readonly unknown[]) => {
    const previous = list.map((native) => taken.get(native))
    const intake = runPlan(
      takeIn({ list, previous, wire, digest: ownName, listKey: 'messages' }),
      asksNothing,
    )
    if (intake.type === 'taken')
      for (const [at, message] of intake.messages.entries()) taken.set(list[at], message)
    return intake
  }
  const list = take(read.messages)
  const leading = take(read.leading)
  const fields = takeInFields(read.fields, [])
  if (list.type === 'fault' || leading.type === 'fault' || fields.type === 'fault')
    throw new TypeError('fault')
  const record = Array.from(
    { length: firstIndex },
    (_, index): Entry => ({ index, kind: 'note', key: '', round: -1, chars: 0 }),
  )
  const messages = list.messages.map((message) => ({
    native: message.snapshot,
    snapshot: message.snapshot,
    indexes: message.reading.drafts.map((draft) => {
      const index = record.length
      record.push({ index, kind: draft.kind, key: '', round: -1, chars: 0 })
      return index
    }),
  }))
  const asked: string[] = []
  const plan = measureRequest({
    wire,
    model,
    fields: fields.fields,
    leading: leading.messages.map((message) => message.snapshot),
    messages,
    record,
    memory,
  })
  const size = runPlan(
    plan,
    answerCounts((texts) => {
      asked.push(...texts)
      return texts.map((text) => counter.count(text))
    }),
  )
  return { size, asked }
}

/** The counted keys as one JSON text, counted whole. */
function countWhole(request: JsonObject): number {
  const counted = Object.fromEntries(
    countedKeys.filter((key) => key in request).map((key) => [key, request[key]]),
  )
  return counter.count(JSON.stringify(counted))
}

describe.each(['openai-chat', 'anthropic'] as const)('measuring a %s request', (format) => {
  for (const seed of [1, 2, 3, 4, 5, 6, 7, 8])
    it(`[R23, R27, R28] counts exactly what one count of the whole text gives, seed ${seed}`, () => {
      const { request } = makeConversation({ seed, format, rounds: 4 + seed * 3, resultWords: 300 })
      const { size } = measure(wireOf(format), request, new MeasureMemory())
      expect(size.counted).toBe(countWhole(request))
    })

  it('[R23] gives every token to one part and to at most one entry', () => {
    const { request } = makeConversation({ seed: 11, format, rounds: 20 })
    const { size } = measure(wireOf(format), request, new MeasureMemory())
    const sum = size.parts.reduce((total, part) => total + part.tokens, 0)
    expect(sum).toBe(size.counted)
    const inEntries = [...size.entries.values()].reduce((total, tokens) => total + tokens, 0)
    const outside = size.parts.filter(({ part }) => ['system', 'tools', 'other'].includes(part))
    expect(inEntries).toBe(size.counted - outside.reduce((total, part) => total + part.tokens, 0))
    expect(size.parts.map(({ part }) => part)).toEqual(
      expect.arrayContaining(['system', 'tools', 'instruction', 'answer', 'call', 'result']),
    )
  })

  it('[R28] counts no key outside the counted ones', () => {
    const { request } = makeConversation({ seed: 12, format, rounds: 3 })
    const before = measure(wireOf(format), request, new MeasureMemory()).size.counted
    const more = { ...request, temperature: 0.5, metadata: { note: 'x'.repeat(500) }, stream: true }
    expect(measure(wireOf(format), more, new MeasureMemory()).size.counted).toBe(before)
  })

  it('[R36] counts the system prompt, and special-token text as ordinary text', () => {
    const { request } = makeConversation({ seed: 13, format, rounds: 3 })
    const special = {
      ...request,
      messages: [...request.messages, { role: 'user', content: '<|endoftext|>' }],
    }
    expect(measure(wireOf(format), special, new MeasureMemory()).size.counted).toBe(countWhole(special))
  })

  it('[R23] gives the same sizes from what it remembers, wherever the list was cut, changed or moved', () => {
    const { request } = makeConversation({ seed: 15, format, rounds: 25, contextTool: true })
    const random = seededRandom(15)
    const memory = new MeasureMemory()
    // The same objects again, as the engine has them.
    const taken = new Map<unknown, KnownMessage>()
    let list: readonly JsonObject[] = request.messages
    for (let turn = 0; turn < 60; turn++) {
      const at = random.integer(1, list.length - 1)
      const change = random.integer(0, 4)
      if (change === 0) list = list.filter((_, position) => position !== at)
      if (change === 1)
        list = [...list.slice(0, at), { role: 'user', content: `Again ${turn}` }, ...list.slice(at)]
      if (change === 2) list = [...list, { role: 'user', content: 'x'.repeat(turn) }]
      if (change === 3) list = request.messages.slice(0, random.integer(2, request.messages.length))
      const changed = { ...request, messages: list, ...(turn % 7 === 0 ? { tools: [] } : {}) }
      const { size } = measure(wireOf(format), changed, memory, { taken })
      expect(size.counted).toBe(countWhole(changed))
      expect(size).toEqual(measure(wireOf(format), changed, new MeasureMemory(), { taken }).size)
    }
  })

  it('[R23] gives the tokens of known messages to the entries that they are now', () => {
    const { request } = makeConversation({ seed: 16, format, rounds: 6 })
    const memory = new MeasureMemory()
    const taken = new Map<unknown, KnownMessage>()
    for (const firstIndex of [0, 3, 1]) {
      const { size } = measure(wireOf(format), request, memory, { taken, firstIndex })
      expect(Math.min(...size.entries.keys())).toBe(firstIndex)
      expect(size).toEqual(measure(wireOf(format), request, new MeasureMemory(), { taken, firstIndex }).size)
    }
  })

  it('counts known media by the rates of the model that will see them', () => {
    const { request } = makeConversation({ seed: 17, format, rounds: 3 })
    const picture =
      format === 'anthropic'
        ? { type: 'image', source: { type: 'base64', media_type: 'image/png', data: LARGE_PNG } }
        : { type: 'image_url', image_url: { url: `data:image/png;base64,${LARGE_PNG}` } }
    const seen = { ...request, messages: [{ role: 'user', content: [picture] }, ...request.messages] }
    const memory = new MeasureMemory()
    const taken = new Map<unknown, KnownMessage>()
    const models =
      format === 'anthropic' ? ['claude-3-haiku-20240307', 'claude-opus-4-7'] : ['gpt-4o', 'gpt-4.1-nano']
    const media = [...models, ...models]
      .flatMap((model) => [model, model])
      .map((model) => {
        const { size } = measure(wireOf(format), seen, memory, { taken, model })
        expect(size).toEqual(measure(wireOf(format), seen, new MeasureMemory(), { model }).size)
        return size.parts.find(({ part }) => part === 'media')?.tokens
      })
    expect(new Set(media).size).toBe(2)
  })

  it('asks for the new message only when a known request grows', () => {
    const { request } = makeConversation({ seed: 14, format, rounds: 40, resultWords: 600 })
    const memory = new MeasureMemory()
    const first = measure(wireOf(format), request, memory)
    const grown = {
      ...request,
      messages: [...request.messages, { role: 'user', content: 'And what came after that?' }],
    }
    const second = measure(wireOf(format), grown, memory)
    const length = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.length, 0)
    expect(second.size.counted).toBe(countWhole(grown))
    expect(length(first.asked)).toBeGreaterThan(50_000)
    expect(length(second.asked)).toBeLessThan(300)
  })
})
