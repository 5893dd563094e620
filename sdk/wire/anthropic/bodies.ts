import type { BodyTexts, NativeMessage } from '../../engine/format.ts'
import { isObject } from '../../engine/json.ts'
import type { TextBody } from '../../engine/readable-text.ts'
import { isOnlyRead } from '../readable-content.ts'
import { contentBodies, replaceContentBodies } from '../result-bodies.ts'
import { blockOwners, contentBlocks, isToolResult } from './entries.ts'

export function resultBodies(snapshot: NativeMessage): ReadonlyMap<number, readonly TextBody[]> {
  if (!isObject(snapshot)) return new Map()
  const owners = blockOwners(snapshot).parts
  return new Map(
    contentBlocks(snapshot).flatMap((block, position) =>
      isToolResult(block) ? [[owners[position] ?? -1, contentBodies(block.content)] as const] : [],
    ),
  )
}

export function replaceBodies(snapshot: NativeMessage, texts: BodyTexts): NativeMessage {
  if (!isObject(snapshot)) return snapshot
  const owners = blockOwners(snapshot).parts
  const content = contentBlocks(snapshot).map((block, position) => {
    const own = texts.get(owners[position] ?? -1)
    return own && isToolResult(block)
      ? { ...block, content: replaceContentBodies(block.content, own) }
      : block
  })
  return { ...snapshot, content }
}

export function clearResult(snapshot: NativeMessage, draft: number, text: string): NativeMessage | null {
  if (!isObject(snapshot)) return null
  const blocks = contentBlocks(snapshot)
  const owners = blockOwners(snapshot).parts
  const position = blocks.findIndex((block, place) => owners[place] === draft && isToolResult(block))
  const block = blocks[position]
  if (!isObject(block) || !isOnlyRead(block.content)) return null
  return { ...snapshot, content: blocks.with(position, { ...block, content: text }) }
}
