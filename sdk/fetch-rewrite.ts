import type { JsonObject, JsonValue } from './engine/json.ts'
import { itemsAt, type JsonMember, membersOf } from './fetch-json-ranges.ts'

/**
 * The text of a changed body. What it has in common with the one that the text came from, its members and the
 * items of its lists, is copied from the text and never written anew (rules.md 6, "Fetch identity").
 */
export function rewriteJson(text: string, was: JsonObject, now: JsonObject): string {
  // A key that comes twice means its last value.
  const members = new Map(membersOf(text).map((member) => [member.key, member]))
  const kept = [...members.values()].flatMap((member) => {
    const value = Object.hasOwn(now, member.key) ? now[member.key] : undefined
    return value === undefined ? [] : [memberText(text, member, { was: was[member.key], now: value })]
  })
  const added = Object.entries(now).flatMap(([key, value]) =>
    members.has(key) || value === undefined ? [] : [`${JSON.stringify(key)}:${JSON.stringify(value)}`],
  )
  return `{${[...kept, ...added].join(',')}}`
}

function memberText(
  text: string,
  { start, value }: JsonMember,
  { was, now }: { readonly was: JsonValue | undefined; readonly now: JsonValue },
): string {
  if (now === was) return text.slice(start, value.end)
  const key = text.slice(start, value.start)
  if (!Array.isArray(was) || !Array.isArray(now)) return key + JSON.stringify(now)
  const ranges = itemsAt(text, value.start)
  const known = new Map(was.map((item, position) => [item, ranges[position]]))
  const items = now.map((item) => {
    const range = known.get(item)
    return range ? text.slice(range.start, range.end) : JSON.stringify(item)
  })
  return `${key}[${items.join(',')}]`
}
