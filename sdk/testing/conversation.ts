import type { JsonObject } from '../engine/json.ts'
import { anthropicSpeaker } from './conversation/anthropic-speaker.ts'
import { openAiChatSpeaker } from './conversation/openai-chat-speaker.ts'
import { plainScript } from './conversation/plain-script.ts'
import type { Said } from './conversation/script.ts'
import type { SpokenRequest } from './conversation/speaker.ts'
import { variedScript } from './conversation/varied-script.ts'
import { type Random, seededRandom } from './random.ts'

export type ConversationFormat = 'openai-chat' | 'anthropic'

export interface ConversationOptions {
  readonly seed: number
  readonly format: ConversationFormat
  /** Rounds of tool calls. */
  readonly rounds: number
  /** Longest result in words; results are of very different lengths. */
  readonly resultWords?: number
  readonly contextTool?: boolean
  /**
   * `plain`: texts, parallel and failed calls. `varied`: every shape there is, some of which a provider would
   * reject: interrupted calls, images, JSON and blocks as results, hostile texts, calls of the context tool.
   */
  readonly shapes?: 'plain' | 'varied'
  /** Every answer of a varied conversation in `anthropic` thinks, for a model of that kind; absent: none does. */
  readonly thinking?: 'manual' | 'preserved'
}

export interface Conversation {
  /** The last request, whole. */
  readonly request: SpokenRequest
  /** Lengths of the list at which a request left, ascending; the last is the whole list. */
  readonly requests: readonly number[]
}

const speakers = { 'openai-chat': openAiChatSpeaker, anthropic: anthropicSpeaker }

/** A tool conversation as an agent has it. The same options give the same conversation. */
export function makeConversation(options: ConversationOptions): Conversation {
  const { format, contextTool = false, thinking } = options
  const speaker = speakers[format]
  const messages: JsonObject[] = []
  const requests: number[] = []
  for (const said of scriptOf(options, seededRandom(options.seed))) {
    if (said.type === 'ask') messages.push(...speaker.ask(said))
    else {
      requests.push(messages.length)
      messages.push(...speaker.answer(said), ...speaker.results(said))
    }
  }
  requests.push(messages.length)
  return { request: speaker.request(messages, { contextTool, thinking }), requests }
}

function scriptOf(options: ConversationOptions, random: Random): readonly Said[] {
  const { format, rounds, resultWords = 400, contextTool = false, shapes = 'plain', thinking } = options
  const isAnthropic = format === 'anthropic'
  if (shapes === 'plain') {
    const content = (text: string) => (isAnthropic ? [{ type: 'text' as const, text }] : text)
    return plainScript(random, { rounds, resultWords, content })
  }
  return variedScript(random, {
    rounds,
    resultWords,
    contextTool,
    thinks: isAnthropic && thinking !== undefined,
    resultImages: isAnthropic,
    reusesIds: !isAnthropic,
  })
}

/** The request as it left with the first `length` messages of the list; a leading system message is not counted. */
export function requestAt(conversation: Conversation, length: number): JsonObject {
  const { messages } = conversation.request
  const leading = messages[0]?.role === 'system' ? 1 : 0
  return { ...conversation.request, messages: messages.slice(0, leading + length) }
}
