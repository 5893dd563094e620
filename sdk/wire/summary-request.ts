import { isObject, type JsonObject, type JsonValue } from '../engine/json.ts'

/** A request without some of its fields. */
export function withoutKeys(request: JsonObject, keys: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(request).filter(([key]) => !keys.has(key)))
}

/** A setting as an app gave it: whatever its provider understands. */
export function givenSetting(key: string, value: unknown): JsonObject {
  return value === undefined ? {} : { [key]: value as JsonValue }
}

/** The texts of the blocks that say something, as one; null where none does. */
export function joinedText(
  blocks: JsonValue | undefined,
  says: (block: JsonObject) => boolean,
): string | null {
  const list = Array.isArray(blocks) ? blocks.filter(isObject).filter(says) : []
  const texts = list.flatMap(({ text }) => (typeof text === 'string' ? [text] : []))
  return texts.length === 0 ? null : texts.join('')
}
