import type { ToolFacts } from '../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../engine/json.ts'

/** What is told of a tool from its name and the JSON schema of its arguments. */
export function toolFacts(name: JsonValue | undefined, schema: JsonValue | undefined): readonly ToolFacts[] {
  return typeof name === 'string' ? [{ name, readsResults: readsResults(schema) }] : []
}

/** Alternatives inside alternatives that are looked into. */
const deepest = 4

/** A tool whose `action` may be `read_result` is dogear's context tool, under whatever name it is registered. */
function readsResults(schema: JsonValue | undefined, depth = 0): boolean {
  if (!isObject(schema) || depth === deepest) return false
  const action = isObject(schema.properties) ? schema.properties.action : undefined
  return allows(action) || alternatives(schema).some((alternative) => readsResults(alternative, depth + 1))
}

function allows(schema: JsonValue | undefined, depth = 0): boolean {
  if (!isObject(schema) || depth === deepest) return false
  if (schema.const === 'read_result') return true
  if (Array.isArray(schema.enum) && schema.enum.includes('read_result')) return true
  return alternatives(schema).some((alternative) => allows(alternative, depth + 1))
}

function alternatives(schema: JsonObject): readonly JsonValue[] {
  return [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []))
}
