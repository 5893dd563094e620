import { isObject, type JsonObject } from '../../engine/json.ts'
import { contentBlocks } from './entries.ts'

export interface PlacedBlock {
  readonly block: JsonObject
  readonly path: string
}

/** Neighbouring messages of one role: the provider reads them as one. */
export interface Turn {
  readonly role: string
  readonly path: string
  /** Content given as text stands here as the one text block that it is. */
  readonly blocks: readonly PlacedBlock[]
}

export function turnsOf(messages: readonly JsonObject[]): readonly Turn[] {
  const turns: { role: string; path: string; blocks: PlacedBlock[] }[] = []
  for (const [position, message] of messages.entries()) {
    const path = `messages[${position}]`
    const role = String(message.role)
    const last = turns.at(-1)
    if (last?.role === role) last.blocks.push(...placedBlocks(message, path))
    else turns.push({ role, path, blocks: [...placedBlocks(message, path)] })
  }
  return turns
}

export function placedBlocks(message: JsonObject, path: string): readonly PlacedBlock[] {
  if (typeof message.content === 'string')
    return [{ block: { type: 'text', text: message.content }, path: `${path}.content` }]
  return contentBlocks(message).flatMap((block, position) =>
    isObject(block) ? [{ block, path: `${path}.content[${position}]` }] : [],
  )
}
