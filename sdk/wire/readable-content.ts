import { isObject, type JsonObject, type JsonValue } from '../engine/json.ts'
import { readableText } from '../engine/readable-text.ts'
import { isReasoning } from './match-text.ts'
import { redact } from './redact.ts'
import { isTextBlock } from './text-block.ts'

const mediaNames: ReadonlyMap<unknown, string> = new Map([
  ['image', '[image]'],
  ['image_url', '[image]'],
  ['input_image', '[image]'],
  ['computer_screenshot', '[image]'],
  ['image_generation_call', '[image]'],
  ['input_audio', '[audio]'],
  ['audio', '[audio]'],
  ['video', '[video]'],
  ['document', '[document]'],
  ['file', '[document]'],
  ['input_file', '[document]'],
])

/** Each block of a result's content beside what stands for it in the readable text, in order. */
export function readableBlocks(
  content: JsonValue | undefined,
): readonly { readonly block: JsonValue; readonly text: string }[] {
  if (!Array.isArray(content)) return []
  return content
    .filter((block) => !isReasoning(block))
    .map((block) => ({ block, text: readableContent([block], readableText) }))
}

/**
 * Whether content is there to be read or seen and for nothing else: text, and blocks of text or media. A block of
 * another kind may be what later messages rest on, such as one that makes a tool known.
 */
export function isOnlyRead(content: JsonValue | undefined): boolean {
  if (typeof content === 'string') return true
  return (
    Array.isArray(content) &&
    content.length > 0 &&
    content.every(
      (block: JsonValue) =>
        isTextBlock(block) ||
        (isObject(block) && (mediaNames.has(block.type) || block.type === 'search_result')),
    )
  )
}

type ReadText = (text: string) => string

/**
 * Content as a person or the model reads it: texts joined by a line break, media as a short placeholder,
 * blocks of other kinds as JSON without their opaque fields. Reasoning is left out.
 */
export function readableContent(content: JsonValue | undefined, readText: ReadText = (text) => text): string {
  return joined(content, readText, (block) => {
    const nested = nestedContent(block)
    return nested === undefined ? readableBlock(block) : joined(nested, readText, readableBlock)
  })
}

function joined(
  content: JsonValue | undefined,
  readText: ReadText,
  readBlock: (block: JsonObject) => string,
): string {
  if (typeof content === 'string') return readText(content)
  if (!Array.isArray(content)) return ''
  return content
    .filter((block) => !isReasoning(block))
    .map((block) => {
      if (isTextBlock(block)) return readText(block.text)
      return isObject(block) ? readBlock(block) : JSON.stringify(block)
    })
    .join('\n')
}

function readableBlock(block: JsonObject): string {
  if (block.type === 'refusal' && typeof block.refusal === 'string') return block.refusal
  return mediaNames.get(block.type) ?? JSON.stringify(redact(block, () => 0).value)
}

/** Text that stands inside a block: a search result, or a document given as text. */
function nestedContent(block: JsonObject): JsonValue | undefined {
  if (block.type === 'search_result') return block.content
  if (block.type !== 'document' || !isObject(block.source)) return undefined
  if (block.source.type === 'text') return block.source.data
  return block.source.type === 'content' ? block.source.content : undefined
}
