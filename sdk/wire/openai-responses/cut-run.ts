import type { JsonObject, JsonValue } from '../../engine/json.ts'
import { itemOwners } from './entries.ts'
import { isReasoning } from './items.ts'

export interface CutRun {
  readonly items: readonly JsonObject[]
  /** Reasoning went while something that it led up to stayed. */
  readonly isSeparated: boolean
}

/**
 * A run with only some of its drafts. Reasoning goes with the item right after it, whoever's that is: without it
 * the provider rejects the reasoning. What else the reasoning led up to loses the name by which the provider
 * would ask for it.
 */
export function cutRun(items: readonly JsonObject[], kept: readonly number[]): CutRun {
  const owners = itemOwners(items)
  const isKept = (position: number): boolean => kept.includes(owners[position] ?? 0)
  const rest: JsonObject[] = []
  let isOrphaned = false
  let isSeparated = false
  for (const [position, item] of items.entries()) {
    if (isReasoning(item)) {
      isOrphaned = !keepsNext(items, position, isKept)
      if (!isOrphaned) rest.push(item)
    } else if (isKept(position)) {
      isSeparated ||= isOrphaned
      rest.push(isOrphaned && mayLackId.has(item.type) ? withoutId(item) : item)
    }
  }
  return { items: rest, isSeparated }
}

function keepsNext(
  items: readonly JsonObject[],
  position: number,
  isKept: (position: number) => boolean,
): boolean {
  const next = items.findIndex((item, place) => place > position && !isReasoning(item))
  return next >= 0 && isKept(next)
}

const mayLackId: ReadonlySet<JsonValue | undefined> = new Set([
  'message',
  'function_call',
  'custom_tool_call',
])

function withoutId({ id: _, ...item }: JsonObject): JsonObject {
  return item
}
