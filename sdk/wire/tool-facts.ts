import type { ToolFacts } from '../engine/format.ts'
import { isObject, type JsonValue } from '../engine/json.ts'

/** What is told of a tool from its name and the JSON schema of its arguments. */
export function toolFacts(name: JsonValue | undefined, schema: JsonValue | undefined): readonly ToolFacts[] {
  return typeof name === 'string' ? [{ name, readsResults: readsResults(schema) }] : []
}

/** A tool whose `action` may be `read_result` is dogear's context tool, under whatever name it is registered. */
function readsResults(schema: JsonValue | undefined): boolean {
  if (!isObject(schema)) return false
  const action = isObject(schema.properties) ? schema.properties.action : undefined
  return allows(action, 'read_result') || alternatives(schema).some(readsResults)
}

function allows(schema: JsonValue | undefined, value: string): boolean {
  if (!isObject(schema)) return false
  if (schema.const === value) return true
  if (Array.isArray(schema.enum) && schema.enum.includes(value)) return true
  return alternatives(schema).some((alternative) => allows(alternative, value))
}

function alternatives(schema: JsonValue): readonly JsonValue[] {
  if (!isObject(schema)) return []
  return [schema.anyOf, schema.oneOf].flatMap((list) => (Array.isArray(list) ? list : []))
}
