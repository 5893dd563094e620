import type { JsonObject, JsonValue } from '../../engine/json.ts'

/** The API takes each name in both spellings, and both are in its manuals. */
const spellings = {
  cachedContent: 'cached_content',
  fileData: 'file_data',
  functionCall: 'function_call',
  functionDeclarations: 'function_declarations',
  functionResponse: 'function_response',
  generationConfig: 'generation_config',
  inlineData: 'inline_data',
  mediaResolution: 'media_resolution',
  mimeType: 'mime_type',
  parametersJsonSchema: 'parameters_json_schema',
  responseJsonSchema: 'response_json_schema',
  responseSchema: 'response_schema',
  systemInstruction: 'system_instruction',
  thoughtSignature: 'thought_signature',
  toolConfig: 'tool_config',
} as const

export type FieldName = keyof typeof spellings

/** The value that an object has under a name, in whichever spelling. */
export function fieldOf(object: JsonObject, name: FieldName): JsonValue | undefined {
  return object[name] ?? object[spellings[name]]
}

/** The object without a field, in whichever spelling. */
export function withoutField(object: JsonObject, name: FieldName): JsonObject {
  const { [name]: _camel, [spellings[name]]: _snake, ...rest } = object
  return rest
}
