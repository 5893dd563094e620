import { describe, expect, it } from 'vitest'
import { createRequestCounter } from './count-request.ts'
import type { JsonObject } from './engine/json.ts'
import { type ConversationFormat, makeConversation } from './testing/conversation.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { type Random, seededRandom } from './testing/random.ts'
import { scriptTokenCounter } from './testing/script-token-counter.ts'
import { mutated, referenceDocument } from './tokenizer/reference-documents.ts'
import { createReferenceEncoder } from './tokenizer/reference-encoder.ts'
import { referenceText, referenceTextKinds } from './tokenizer/reference-texts.ts'

const SEEDS = process.env.DOGEAR_FUZZ === 'long' ? 400 : 8
const EDITS = 25

const encoder = createReferenceEncoder()
const countedKeys = ['system', 'messages', 'tools']

/** The counted keys as one JSON text, counted whole and afresh by the reference. */
function countWhole(request: JsonObject): number {
  const counted = Object.fromEntries(
    countedKeys.filter((key) => key in request).map((key) => [key, request[key]]),
  )
  return encoder.encode_ordinary(JSON.stringify(counted)).length
}

function someText(random: Random): string {
  if (random.chance(0.1)) return referenceDocument('all', random, random.integer(1, 12_000))
  return Array.from({ length: random.integer(0, 4) }, () =>
    referenceText(random.pick(referenceTextKinds), random),
  ).join('')
}

function someMessage(format: ConversationFormat, random: Random): JsonObject {
  const role = random.pick(['user', 'assistant'])
  const text = someText(random)
  if (format === 'openai-chat' && random.chance(0.2))
    return { role: 'tool', tool_call_id: `call_${random.integer(0, 99)}`, content: text }
  if (random.chance(0.5)) return { role, content: text === '' ? '-' : text }
  return { role, content: [{ type: 'text', text: text === '' ? '-' : text }] }
}

/** The list after one edit: messages appended, changed, removed, moved, or made anew with the same content. */
function edited(
  list: readonly JsonObject[],
  format: ConversationFormat,
  random: Random,
): readonly JsonObject[] {
  const at = random.integer(0, list.length - 1)
  const before = list.slice(0, at)
  const after = list.slice(at + 1)
  return random.pick([
    () => [...list, someMessage(format, random)],
    () => [...list, someMessage(format, random), someMessage(format, random)],
    () => [...before, someMessage(format, random), ...list.slice(at)],
    () => [...before, withOtherText(list[at] ?? {}, random), ...after],
    () => (list.length > 2 ? [...before, ...after] : list),
    () => list.slice(0, Math.max(1, at)),
    () => list.slice(Math.min(at, list.length - 1)),
    () => [...after, ...list.slice(0, at + 1)],
    () => list.toReversed(),
    () => structuredClone(list),
  ])()
}

function withOtherText(message: JsonObject, random: Random): JsonObject {
  const { content } = message
  return typeof content === 'string' ? { ...message, content: mutated(content, random) } : { ...message }
}

describe.each(['openai-chat', 'anthropic'] as const)('a request of %s that is edited at random', (format) => {
  for (let seed = 1; seed <= SEEDS; seed++)
    it(`[R23, R25, R27, R36] is measured as its whole text counts, send after send (seed ${seed})`, async () => {
      const random = seededRandom(seed)
      const { messages, ...rest } = makeConversation({ seed, format, rounds: random.integer(1, 6) }).request
      const counter = await scriptTokenCounter()
      const { branch } = await openTestBranch({ counter })
      const countRequest = createRequestCounter((text) => encoder.encode_ordinary(text).length)
      let list: readonly JsonObject[] = messages
      let request: JsonObject = rest
      for (let edit = 0; edit < EDITS; edit++) {
        if (random.chance(0.1))
          request = { ...request, ...(format === 'anthropic' ? { system: someText(random) } : {}) }
        const sent = { ...request, messages: list }
        const whole = countWhole(sent)
        expect(countRequest(sent, format).total, `edit ${edit}`).toBe(whole)
        const prepared = await branch.prepare(sent, { format })
        expect(prepared.decision.counted, `edit ${edit}`).toBe(whole)
        if (random.chance(0.5)) await prepared.settle({ usage: null })
        list = edited(list, format, random)
      }
    }, 60_000)
})
