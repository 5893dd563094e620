import type { CacheLifetime, CacheMark, CacheMarks } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { blockOwners, contentBlocks, isServerResult } from './entries.ts'

/** `cache_control` on tools, system blocks and content blocks. */
export const cacheMarks: CacheMarks = {
  limit: 4,
  read: readMarks,
  markValue,
  markMessage,
  covered,
}

/** Content of a message, of a result in it, and of a document in that. */
export const deepestMark = 4

/** Lifetimes of the marks of a block and of what it holds, in the order of the prefix. */
function lifetimesIn(block: JsonValue, depth = 1): readonly CacheLifetime[] {
  if (!isObject(block)) return []
  const inner =
    depth < deepestMark ? contentBlocks(block).flatMap((part) => lifetimesIn(part, depth + 1)) : []
  return isObject(block.cache_control) ? [...inner, lifetimeOf(block.cache_control)] : inner
}

export function lifetimeOf(mark: JsonObject): CacheLifetime {
  return mark.ttl === '1h' ? '1h' : '5m'
}

function readMarks(snapshot: JsonValue): readonly CacheMark[] {
  const owners = isObject(snapshot) ? blockOwners(snapshot).parts : []
  const blocks = Array.isArray(snapshot) ? snapshot : contentBlocks(snapshot)
  return blocks.flatMap((block, position) =>
    lifetimesIn(block).map((lifetime) => ({ owner: owners[position] ?? 0, lifetime })),
  )
}

/** Text as the system is one block of it. */
function markValue(snapshot: JsonValue, lifetime: CacheLifetime): JsonValue | null {
  if (typeof snapshot === 'string') return isBlank(snapshot) ? null : [marked(textBlock(snapshot), lifetime)]
  if (!Array.isArray(snapshot)) return null
  const position = snapshot.findLastIndex(endsStablePart)
  return position < 0 ? null : markedAt(snapshot, position, lifetime)
}

function markMessage(
  snapshot: JsonValue,
  { lifetime, upToDraft }: { readonly lifetime: CacheLifetime; readonly upToDraft: number },
): JsonValue | null {
  // Whether a system message among the others may be marked is nowhere stated.
  if (!isObject(snapshot) || snapshot.role === 'system') return null
  const message = withBlocks(snapshot)
  const owners = blockOwners(message)
  const blocks = contentBlocks(message)
  const position = blocks.findLastIndex(
    (block, at) => (owners.parts[at] ?? owners.frame) <= upToDraft && mayHoldMark(block),
  )
  if (position < 0) return null
  const content = markedAt(blocks, position, lifetime)
  return content === blocks ? snapshot : { ...message, content }
}

function covered(snapshot: JsonValue, upToDraft: number): JsonValue {
  if (!isObject(snapshot)) return snapshot
  const message = withBlocks(snapshot)
  const owners = blockOwners(message)
  const blocks = contentBlocks(message)
  const end = blocks.findLastIndex((_, at) => (owners.parts[at] ?? owners.frame) <= upToDraft) + 1
  return { ...message, content: blocks.slice(0, end).map((block) => withoutMarks(block)) }
}

/** The list with one more mark; itself where something marks that very place already. */
function markedAt(
  blocks: readonly JsonValue[],
  position: number,
  lifetime: CacheLifetime,
): readonly JsonValue[] {
  const block = blocks[position]
  if (!isObject(block) || endsInMark(block)) return blocks
  return blocks.map((other, at) => (at === position ? marked(block, lifetime) : other))
}

function endsInMark(block: JsonObject): boolean {
  if (isObject(block.cache_control)) return true
  const last = contentBlocks(block).at(-1)
  return isObject(last) && endsInMark(last)
}

function marked(block: JsonObject, lifetime: CacheLifetime): JsonObject {
  return { ...block, cache_control: { type: 'ephemeral', ...(lifetime === '5m' ? {} : { ttl: lifetime }) } }
}

function withoutMarks(block: JsonValue, depth = 1): JsonValue {
  if (!isObject(block)) return block
  const { cache_control: _, ...rest } = block
  if (!Array.isArray(rest.content) || depth === deepestMark) return rest
  return { ...rest, content: rest.content.map((part: JsonValue) => withoutMarks(part, depth + 1)) }
}

/** Content given as text is one block of it. */
function withBlocks(message: JsonObject): JsonObject {
  return typeof message.content === 'string' ? { ...message, content: [textBlock(message.content)] } : message
}

function textBlock(text: string): JsonObject {
  return { type: 'text', text }
}

const markable: ReadonlySet<JsonValue | undefined> = new Set([
  'image',
  'document',
  'search_result',
  'tool_use',
  'tool_result',
  'server_tool_use',
  'mcp_tool_use',
])

/** Thinking may hold no mark, nor may an empty text; of a kind that nobody knows it is not known. */
export function mayHoldMark(block: JsonValue): boolean {
  if (!isObject(block)) return false
  if (block.type === 'text') return typeof block.text === 'string' && !isBlank(block.text)
  return markable.has(block.type) || isServerResult(block)
}

/** A block of the system, or a tool that stands in the prefix: one that is loaded later does not. */
function endsStablePart(item: JsonValue): boolean {
  if (!isObject(item)) return false
  return item.type === 'text'
    ? mayHoldMark(item)
    : typeof item.name === 'string' && item.defer_loading !== true
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}
