import { isObject, type JsonObject, type JsonValue, sortedJson } from '../engine/json.ts'
import { isReasoning } from './match-text.ts'
import { redact } from './redact.ts'

const mediaNames: ReadonlyMap<unknown, string> = new Map([
  ['image', '[image]'],
  ['image_url', '[image]'],
  ['input_image', '[image]'],
  ['input_audio', '[audio]'],
  ['audio', '[audio]'],
  ['video', '[video]'],
  ['document', '[document]'],
  ['file', '[document]'],
  ['input_file', '[document]'],
])

/**
 * Content as a person or the model reads it: texts joined by a line break, media as a short placeholder,
 * blocks of other kinds as JSON without their opaque fields. Reasoning is left out.
 */
export function readableContent(
  content: JsonValue | undefined,
  readText: (text: string) => string = (text) => text,
): string {
  if (typeof content === 'string') return readText(content)
  if (!Array.isArray(content)) return ''
  return content
    .filter((block) => !isReasoning(block))
    .map((block) => readableBlock(block, readText))
    .join('\n')
}

function readableBlock(block: JsonValue, readText: (text: string) => string): string {
  if (!isObject(block)) return sortedJson(block)
  if (typeof block.text === 'string' && block.type === 'text') return readText(block.text)
  if (typeof block.refusal === 'string' && block.type === 'refusal') return block.refusal
  const nested = nestedText(block)
  if (nested !== undefined) return readableContent(nested, readText)
  return mediaNames.get(block.type) ?? sortedJson(redact(block, () => 0).value)
}

/** Text that stands inside a block: a search result, or a document given as text. */
function nestedText(block: JsonObject): JsonValue | undefined {
  if (block.type === 'search_result') return block.content
  if (block.type !== 'document' || !isObject(block.source)) return undefined
  if (block.source.type === 'text') return block.source.data
  return block.source.type === 'content' ? block.source.content : undefined
}
