import type { JsonObject } from '../engine/json.ts'
import { type Conversation, type RecordedCall, type RecordedGrowth, readCall } from './recorded-calls.ts'

/**
 * The recorded growths of one session, by size, as the calls of one conversation. What was not recorded, its start
 * and what came between two growths, is stood in for by text of as many tokens as the provider reported for it, so
 * that only the growths can teach a scale.
 */
export function sessionOf(growths: readonly RecordedGrowth[]): Conversation {
  const calls: RecordedCall[] = []
  let messages: readonly JsonObject[] = []
  let tokens = 0
  for (const growth of growths) {
    const { prev_input_tokens: before, input_tokens: after, appended } = growth
    if (before !== tokens) {
      // A session that was cut goes on from its first message.
      const [kept, size] = before > tokens && tokens > 0 ? [messages, tokens] : [[opening], 0]
      messages = [...kept, standIn(before - size)]
      calls.push({ ...callOf(growth, messages, before), isStandIn: true })
    }
    messages = [...messages, ...appended]
    tokens = after
    calls.push(callOf(growth, messages, after))
  }
  return calls.map(readCall).filter((call) => call !== undefined)
}

const opening = { role: 'user', content: 'The rest of the conversation.' }

/** Counts as at least as many tokens. */
function standIn(tokens: number): JsonObject {
  return { role: 'user', content: ' so'.repeat(tokens) }
}

function callOf(growth: RecordedGrowth, messages: readonly JsonObject[], tokens: number): RecordedCall {
  const { provider, model, flags, source } = growth
  return {
    provider,
    model,
    flags,
    source,
    endpoint: 'anthropic',
    input_tokens: tokens,
    request: { model, max_tokens: 1, messages },
    usage: { input_tokens: tokens, output_tokens: 1 },
  }
}
