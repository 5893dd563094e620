import type { SummaryQuestion } from '../../engine/format.ts'
import { isObject, type JsonObject } from '../../engine/json.ts'
import { givenSetting, joinedText, withoutKeys } from '../summary-request.ts'

/** What belongs to the conversation, or asks for another kind of answer than one text. */
const ownKeys: ReadonlySet<string> = new Set([
  'input',
  'instructions',
  'prompt',
  'previous_response_id',
  'conversation',
  'context_management',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'max_tool_calls',
  'text',
  'include',
  'stream',
  'stream_options',
  'background',
  'top_logprobs',
])

export function summaryRequest(
  request: JsonObject,
  { instructions, history, model, reasoning }: SummaryQuestion,
): JsonObject {
  return {
    ...withoutKeys(request, ownKeys),
    ...(model === undefined ? {} : { model }),
    instructions,
    input: [{ role: 'user', content: history }],
    ...givenSetting('reasoning', reasoning),
    store: false,
  }
}

export function readAnswer(response: unknown): string | null {
  if (!isObject(response) || !Array.isArray(response.output)) return null
  const parts = response.output.flatMap((item) =>
    isObject(item) && item.type === 'message' && Array.isArray(item.content) ? item.content : [],
  )
  return joinedText(parts, ({ type }) => type === 'output_text')
}
