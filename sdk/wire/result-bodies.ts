import type { JsonValue } from '../engine/json.ts'
import { replaceTextBodies, type TextBody, textBodies } from '../engine/readable-text.ts'
import { codePoints } from '../engine/text.ts'
import { readableBlocks } from './readable-content.ts'
import { isTextBlock } from './text-block.ts'

/** The bodies of a result's content: those of its text, or of each of its text blocks; media have none (R128). */
export function contentBodies(content: JsonValue | undefined): readonly TextBody[] {
  if (typeof content === 'string') return textBodies(content)
  const bodies: TextBody[] = []
  let base = 0
  for (const { block, text } of readableBlocks(content)) {
    if (isTextBlock(block)) bodies.push(...textBodies(block.text, base))
    base += codePoints(text) + 1
  }
  return bodies
}

/** The content with some of its bodies replaced, in its own form. */
export function replaceContentBodies(
  content: JsonValue | undefined,
  texts: ReadonlyMap<number, string>,
): JsonValue | undefined {
  if (typeof content === 'string') return replaceTextBodies(content, texts)
  if (!Array.isArray(content)) return content
  let first = 0
  return content.map((block: JsonValue) => {
    if (!isTextBlock(block)) return block
    const count = textBodies(block.text).length
    const own = new Map(
      Array.from({ length: count }, (_, body) => [body, texts.get(first + body)] as const).filter(
        (pair): pair is readonly [number, string] => pair[1] !== undefined,
      ),
    )
    first += count
    return own.size === 0 ? block : { ...block, text: replaceTextBodies(block.text, own) }
  })
}
