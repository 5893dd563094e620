import type { SummaryQuestion } from '../../engine/format.ts'
import { isObject, type JsonObject } from '../../engine/json.ts'
import { givenSetting, joinedText, withoutKeys } from '../summary-request.ts'

/** What belongs to the conversation, or asks for another kind of answer than one text. */
const ownKeys: ReadonlySet<string> = new Set([
  'messages',
  'system',
  'tools',
  'tool_choice',
  'stop_sequences',
  'stream',
  'output_format',
  'output_config',
  'cache_control',
  'context_management',
  'compaction',
  'mcp_servers',
  'container',
  'thread',
  'diagnostics',
])

export function summaryRequest(
  request: JsonObject,
  { instructions, history, model, reasoning }: SummaryQuestion,
): JsonObject {
  const { output_config: output } = request
  // How much to think about stands beside the form of the answer.
  const effort =
    isObject(output) && output.effort !== undefined ? { output_config: { effort: output.effort } } : {}
  return {
    ...withoutKeys(request, ownKeys),
    ...effort,
    ...(model === undefined ? {} : { model }),
    system: instructions,
    messages: [{ role: 'user', content: history }],
    ...givenSetting('thinking', reasoning),
  }
}

export function readAnswer(response: unknown): string | null {
  return isObject(response) ? joinedText(response.content, ({ type }) => type === 'text') : null
}
