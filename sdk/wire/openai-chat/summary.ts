import type { SummaryQuestion } from '../../engine/format.ts'
import { isObject, type JsonObject } from '../../engine/json.ts'
import { givenSetting, joinedText, withoutKeys } from '../summary-request.ts'

/** What belongs to the conversation, or asks for another kind of answer than one text. */
const ownKeys: ReadonlySet<string> = new Set([
  'messages',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'functions',
  'function_call',
  'response_format',
  'stop',
  'stream',
  'stream_options',
  'n',
  'logprobs',
  'top_logprobs',
  'prediction',
  'modalities',
  'audio',
  'web_search_options',
])

export function summaryRequest(
  request: JsonObject,
  { instructions, history, model, reasoning }: SummaryQuestion,
): JsonObject {
  return {
    ...withoutKeys(request, ownKeys),
    ...(model === undefined ? {} : { model }),
    messages: [
      { role: 'system', content: instructions },
      { role: 'user', content: history },
    ],
    ...givenSetting('reasoning_effort', reasoning),
    // Many servers that speak this format know no such field, and keep nothing anyway.
    ...(request.store === undefined ? {} : { store: false }),
  }
}

export function readAnswer(response: unknown): string | null {
  const [choice] = isObject(response) && Array.isArray(response.choices) ? response.choices : []
  const message = isObject(choice) ? choice.message : undefined
  const content = isObject(message) ? message.content : undefined
  return typeof content === 'string' ? content : joinedText(content, ({ type }) => type === 'text')
}
