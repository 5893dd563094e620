import { isObject, type JsonObject, type JsonValue } from '../engine/json.ts'

interface TextBlock {
  readonly type: string
  readonly text: string
}

/** A provider may say in the type whose text it is; the words are the same. */
const textTypes: ReadonlySet<JsonValue | undefined> = new Set(['text', 'input_text', 'output_text'])

export function isTextBlock(block: JsonValue | undefined): block is JsonObject & TextBlock {
  return isObject(block) && textTypes.has(block.type) && typeof block.text === 'string'
}
