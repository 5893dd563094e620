import type { CacheLifetime, CacheMark, CacheMarks } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { partOwners } from './entries.ts'
import { contentParts, isSystem, isToolResult, optionsFor, withParts } from './parts.ts'

/** `providerOptions.anthropic.cacheControl` on tools, system messages and parts; on a message it means its last part. */
export const cacheMarks: CacheMarks = {
  limit: 4,
  read: readMarks,
  markValue,
  markMessage,
  covered,
}

/** The mark that a request, a tool, a message or a part bears itself; Anthropic's adapter knows two spellings. */
export function markIn(holder: JsonObject): JsonObject | null {
  const { cacheControl, cache_control } = optionsFor('anthropic', holder)
  const mark = cacheControl ?? cache_control
  return isObject(mark) ? mark : null
}

export function lifetimeOf(mark: JsonObject): CacheLifetime {
  return mark.ttl === '1h' ? '1h' : '5m'
}

function readMarks(snapshot: JsonValue): readonly CacheMark[] {
  if (Array.isArray(snapshot))
    return snapshot.flatMap((tool) => cacheMark(isObject(tool) ? markIn(tool) : null, 0))
  if (!isObject(snapshot)) return []
  if (isSystem(snapshot)) return cacheMark(markIn(snapshot), 0)
  const message = withTextPart(snapshot)
  const owners = partOwners(message)
  return contentParts(message).flatMap((_, position) =>
    cacheMark(markAt(message, position), owners.parts[position] ?? owners.frame),
  )
}

function cacheMark(mark: JsonObject | null, owner: number): readonly CacheMark[] {
  return mark === null ? [] : [{ owner, lifetime: lifetimeOf(mark) }]
}

/** The mark in force on a part: its own, that of its output, or, on the last part, that of its message. */
function markAt(message: JsonObject, position: number): JsonObject | null {
  const parts = contentParts(message)
  const part = parts[position]
  if (!isObject(part) || !mayHoldMark(part)) return null
  const own = markIn(part) ?? markOfOutput(part)
  return own ?? (position === parts.length - 1 ? markIn(message) : null)
}

function markOfOutput(part: JsonObject): JsonObject | null {
  if (!isToolResult(part) || !isObject(part.output)) return null
  const { output } = part
  const inner = Array.isArray(output.value) ? output.value.filter(isObject) : []
  const first = inner.find(({ providerOptions }) => isObject(providerOptions))
  return markIn(output) ?? (output.type === 'content' && first !== undefined ? markIn(first) : null)
}

/** The last tool that can say something to Anthropic, or a system message. */
function markValue(snapshot: JsonValue, lifetime: CacheLifetime): JsonValue | null {
  if (isObject(snapshot)) {
    if (!isSystem(snapshot) || typeof snapshot.content !== 'string' || isBlank(snapshot.content)) return null
    return markIn(snapshot) === null ? marked(snapshot, lifetime) : snapshot
  }
  if (!Array.isArray(snapshot)) return null
  const position = snapshot.findLastIndex(endsStablePart)
  const tool: JsonValue | undefined = snapshot[position]
  if (!isObject(tool)) return null
  return markIn(tool) === null ? snapshot.with(position, marked(tool, lifetime)) : snapshot
}

function markMessage(
  snapshot: JsonValue,
  { lifetime, upToDraft }: { readonly lifetime: CacheLifetime; readonly upToDraft: number },
): JsonValue | null {
  // Whether a system message among the others may be marked is nowhere stated.
  if (!isObject(snapshot) || isSystem(snapshot)) return null
  const message = withTextPart(snapshot)
  const owners = partOwners(message)
  const parts = contentParts(message)
  const position = parts.findLastIndex(
    (part, at) => (owners.parts[at] ?? owners.frame) <= upToDraft && mayHoldMark(part),
  )
  const part = parts[position]
  if (!isObject(part)) return null
  if (markAt(message, position) !== null) return snapshot
  return withParts(message, parts.with(position, marked(part, lifetime)))
}

function covered(snapshot: JsonValue, upToDraft: number): JsonValue {
  if (!isObject(snapshot)) return snapshot
  const message = withoutMark(withTextPart(snapshot))
  if (!Array.isArray(message.content)) return message
  const owners = partOwners(message)
  const parts = contentParts(message)
  const end = parts.findLastIndex((_, at) => (owners.parts[at] ?? owners.frame) <= upToDraft) + 1
  return withParts(message, parts.slice(0, end).map(coveredPart))
}

function coveredPart(part: JsonValue): JsonValue {
  if (!isObject(part)) return part
  const plain = withoutMark(part)
  if (!isToolResult(plain) || !isObject(plain.output)) return plain
  const output = withoutMark(plain.output)
  if (output.type !== 'content' || !Array.isArray(output.value)) return { ...plain, output }
  const value = output.value.map((inner: JsonValue) => (isObject(inner) ? withoutMark(inner) : inner))
  return { ...plain, output: { ...output, value } }
}

function marked(holder: JsonObject, lifetime: CacheLifetime): JsonObject {
  const cacheControl = { type: 'ephemeral', ...(lifetime === '5m' ? {} : { ttl: lifetime }) }
  const anthropic = { ...optionsFor('anthropic', holder), cacheControl }
  const others = isObject(holder.providerOptions) ? holder.providerOptions : {}
  return { ...holder, providerOptions: { ...others, anthropic } }
}

/** Options that held nothing but a mark are gone with it, so that what is covered is the same with and without. */
function withoutMark(holder: JsonObject): JsonObject {
  const { providerOptions, ...rest } = holder
  if (!isObject(providerOptions) || markIn(holder) === null) return holder
  const { anthropic: _, ...others } = providerOptions
  const { cacheControl: __, cache_control: ___, ...anthropic } = optionsFor('anthropic', holder)
  const kept = Object.keys(anthropic).length > 0 ? { ...others, anthropic } : others
  return Object.keys(kept).length > 0 ? { ...rest, providerOptions: kept } : rest
}

/** Content given as text is one part of it. */
function withTextPart(message: JsonObject): JsonObject {
  if (isSystem(message) || typeof message.content !== 'string') return message
  return withParts(message, [{ type: 'text', text: message.content }])
}

const markable: ReadonlySet<JsonValue | undefined> = new Set(['file', 'tool-call', 'tool-result'])

/** Reasoning may hold no mark, nor may an empty text; of a kind that nobody knows it is not known. */
function mayHoldMark(part: JsonValue): boolean {
  if (!isObject(part)) return false
  return part.type === 'text' ? typeof part.text === 'string' && !isBlank(part.text) : markable.has(part.type)
}

/** A tool of the app that stands in the prefix: one that is loaded later does not. */
function endsStablePart(tool: JsonValue): boolean {
  return isObject(tool) && tool.type === 'function' && optionsFor('anthropic', tool).deferLoading !== true
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}
