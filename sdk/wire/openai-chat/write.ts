import type {
  CompiledItem,
  Composition,
  NativeMessage,
  ReadRequest,
  WireMessage,
} from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { writeList } from '../write-list.ts'
import { keptIndexes, noteMessage } from '../written-message.ts'
import { legacyCall, listedCalls } from './entries.ts'

/** Reasoning stays with its message in this format, so it makes no difference where the list changed. */
export function compose(items: readonly CompiledItem[]): Composition {
  return { messages: items.flatMap(composeItem), warnings: [] }
}

export function write(
  request: JsonObject,
  read: ReadRequest,
  messages: readonly NativeMessage[],
): JsonObject {
  return writeList(request, { key: 'messages', read, messages })
}

function composeItem(item: CompiledItem): readonly WireMessage[] {
  if (item.type === 'note') return [noteMessage(() => ({ role: 'user', content: item.text }), item.index)]
  if (item.whole) return [{ native: item.native, snapshot: item.snapshot, indexes: item.indexes }]
  const native = cutMessage(item.snapshot, item.kept)
  const snapshot = cutMessage(item.snapshot, item.kept)
  if (native === null || snapshot === null) return []
  return [{ native, snapshot, indexes: keptIndexes(item, true) }]
}

/** What an answer says beside its content. Reasoning is not among it: alone it is no message. */
const answerKeys: ReadonlySet<string> = new Set(['refusal', 'audio', 'images', 'annotations'])

/** An assistant message with only some of its drafts; null where nothing is left that a provider would take. */
function cutMessage(snapshot: NativeMessage, kept: readonly number[]): JsonObject | null {
  if (!isObject(snapshot)) return null
  const keepsAnswer = kept.includes(0)
  const calls = listedCalls(snapshot)
  const keptCalls = calls.filter((_, position) => kept.includes(position + 1))
  const keepsLegacy = legacyCall(snapshot).length > 0 && kept.includes(calls.length + 1)
  const message: JsonObject = Object.fromEntries(
    Object.entries(snapshot).flatMap(([key, value]): readonly [string, JsonValue | undefined][] => {
      if (key === 'tool_calls') return keptCalls.length > 0 ? [[key, keptCalls]] : []
      if (key === 'function_call') return keepsLegacy ? [[key, value]] : []
      // Some dialects refuse null even beside calls; all take an empty text there.
      if (key === 'content' && !keepsAnswer) return [[key, '']]
      return keepsAnswer || !answerKeys.has(key) ? [[key, value]] : []
    }),
  )
  return keptCalls.length > 0 || keepsLegacy || saysSomething(message) ? message : null
}

function saysSomething(message: JsonObject): boolean {
  return hasContent(message.content) || [...answerKeys].some((key) => hasContent(message[key]))
}

function hasContent(value: JsonValue | undefined): boolean {
  if (Array.isArray(value) || typeof value === 'string') return value.length > 0
  return value !== undefined && value !== null
}
