import type { JsonObject, JsonValue } from './engine/json.ts'

/** Where a text stands that may be redacted. */
export interface RedactedPlace {
  readonly branchId: string
  /** Keys and positions that lead to it inside its message; one name for what dogear wrote itself. */
  readonly path: readonly (string | number)[]
}

/** Must return text, for text is what stands there. */
export type Redact = (text: string, place: RedactedPlace) => string

/** Keys whose texts say what something is, and not what was said; a message without them would be none. */
const structural: ReadonlySet<string> = new Set([
  'role',
  'type',
  'id',
  'call_id',
  'tool_call_id',
  'tool_use_id',
  'toolCallId',
  'name',
  'toolName',
  'status',
  'media_type',
  'mediaType',
  'mimeType',
])

/** A copy of a value in which every text but those that give it its form is what `redact` says. */
export function redactJson(value: JsonValue, redact: Redact, place: RedactedPlace): JsonValue {
  if (typeof value === 'string') return String(redact(value, place))
  if (typeof value !== 'object' || value === null) return value
  const below = (key: string | number): RedactedPlace => ({ ...place, path: [...place.path, key] })
  if (Array.isArray(value)) return value.map((item, position) => redactJson(item, redact, below(position)))
  return Object.fromEntries(
    Object.entries(value as JsonObject).map(([key, inner]) => [
      key,
      typeof inner === 'string' && structural.has(key)
        ? inner
        : redactJson(inner ?? null, redact, below(key)),
    ]),
  )
}
