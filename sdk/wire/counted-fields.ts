import type { CountedField } from '../engine/format.ts'
import type { JsonObject } from '../engine/json.ts'

/** The order of rules.md 5, "text that is counted": it is part of the count. */
const countedKeys = [
  'system',
  'instructions',
  'systemInstruction',
  'messages',
  'input',
  'contents',
  'prompt',
  'tools',
  'functions',
  'response_format',
] as const

const parts: Readonly<Record<string, 'system' | 'tools'>> = {
  system: 'system',
  instructions: 'system',
  systemInstruction: 'system',
  tools: 'tools',
  functions: 'tools',
}

export interface CountedFieldOptions {
  /** Key of the message list. */
  readonly listKey: string
  /** Key that holds the schema of the answer, where it is not one of the common keys. */
  readonly schemaKey?: string
}

/** The counted keys that a request carries, in counting order; a key outside the list costs nothing (R27, R28). */
export function countedFields(request: JsonObject, options: CountedFieldOptions): readonly CountedField[] {
  const keys = options.schemaKey === undefined ? countedKeys : [...countedKeys, options.schemaKey]
  return keys.flatMap((key): readonly CountedField[] => {
    if (key === options.listKey) return [{ type: 'messages', key }]
    const value = request[key]
    return value === undefined ? [] : [{ type: 'value', key, part: parts[key] ?? 'other', value }]
  })
}
