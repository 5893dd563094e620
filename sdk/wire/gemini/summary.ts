import type { SummaryQuestion } from '../../engine/format.ts'
import { isObject, type JsonObject } from '../../engine/json.ts'
import { givenSetting, joinedText, withoutKeys } from '../summary-request.ts'
import { fieldOf } from './field-of.ts'

/** What belongs to the conversation. */
const ownKeys: ReadonlySet<string> = new Set([
  'contents',
  'systemInstruction',
  'system_instruction',
  'tools',
  'toolConfig',
  'tool_config',
  'cachedContent',
  'cached_content',
  'generationConfig',
  'generation_config',
])

/** What asks for another kind of answer than one text. */
const answerKeys: ReadonlySet<string> = new Set([
  'stopSequences',
  'stop_sequences',
  'responseMimeType',
  'response_mime_type',
  'responseSchema',
  'response_schema',
  'responseJsonSchema',
  'response_json_schema',
  'responseModalities',
  'response_modalities',
  'speechConfig',
  'speech_config',
  'candidateCount',
  'candidate_count',
])

/** Over the wire the model stands in the address, so another one is for whoever sends the request. */
export function summaryRequest(
  request: JsonObject,
  { instructions, history, reasoning }: SummaryQuestion,
): JsonObject {
  const generation = fieldOf(request, 'generationConfig')
  const settings = {
    ...(isObject(generation) ? withoutKeys(generation, answerKeys) : {}),
    ...givenSetting('thinkingConfig', reasoning),
  }
  return {
    ...withoutKeys(request, ownKeys),
    systemInstruction: { parts: [{ text: instructions }] },
    contents: [{ role: 'user', parts: [{ text: history }] }],
    ...(Object.keys(settings).length > 0 ? { generationConfig: settings } : {}),
  }
}

export function readAnswer(response: unknown): string | null {
  const [candidate] = isObject(response) && Array.isArray(response.candidates) ? response.candidates : []
  const content = isObject(candidate) ? candidate.content : undefined
  return isObject(content) ? joinedText(content.parts, ({ thought }) => thought !== true) : null
}
