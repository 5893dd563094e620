import { type JsonObject, sortedJson } from './json.ts'
import { parseMapping } from './mapping.ts'
import { JSON_LABEL } from './projection.ts'
import { codePoints } from './text.ts'

/**
 * The text of a tool result that `read_result` pages over (rules.md 5). A JSON object reads as one
 * `key: text` line per value, in its own key order; any other text stands for itself.
 */
export function readableText(content: string): string {
  const mapping = parseMapping(content)
  return mapping === null ? content : (readableMapping(mapping) ?? content)
}

/** The same for a result that comes as an object and not as its JSON. */
export function mappingText(mapping: JsonObject): string {
  return readableMapping(mapping) ?? ''
}

/** Null for what is nested too deep to be written again. */
function readableMapping(mapping: JsonObject): string | null {
  try {
    return Object.entries(mapping).map(readableValue).join('\n')
  } catch {
    return null
  }
}

function readableValue([key, value]: readonly [string, unknown]): string {
  return `${key}: ${valueText(value)}`
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : sortedJson(value)
}

/** A text inside a result that may be shortened. */
export interface TextBody {
  readonly source: string
  /** Code-point offset of its first character in the readable text of the result. */
  readonly base: number
  /** What its shortened form starts with. */
  readonly label: string
}

/** Fields that say how a call ended are never shortened (R132, R168). */
const PROTECTED_FIELDS: ReadonlySet<string> = new Set(['success', 'error'])

/** The bodies of one text: itself, or each value of the object that it is the JSON of (R128, R129, R165). */
export function textBodies(content: string, base = 0): readonly TextBody[] {
  const mapping = readableText(content) === content ? null : parseMapping(content)
  return mapping === null ? [{ source: content, base, label: '' }] : bodiesOf(mapping, base)
}

/** The bodies of a result that comes as an object: each of its values (R128, R129, R165). */
export function mappingBodies(mapping: JsonObject): readonly TextBody[] {
  return readableMapping(mapping) === null ? [] : bodiesOf(mapping, 0)
}

function bodiesOf(mapping: JsonObject, base: number): readonly TextBody[] {
  const bodies: TextBody[] = []
  let offset = base
  for (const [key, value] of Object.entries(mapping)) {
    const source = valueText(value)
    const start = offset + codePoints(key) + 2
    offset = start + codePoints(source) + 1
    if (PROTECTED_FIELDS.has(key)) continue
    bodies.push({ source, base: start, label: typeof value === 'string' ? '' : JSON_LABEL })
  }
  return bodies
}

/** The text with some of its bodies replaced; a mapping keeps every key, in its order (R129, R166). */
export function replaceTextBodies(content: string, texts: MappingTexts): string {
  if (texts.size === 0) return content
  const mapping = readableText(content) === content ? null : parseMapping(content)
  if (mapping === null) return texts.get(0) ?? content
  return JSON.stringify(replaceMappingBodies(mapping, texts))
}

/** What stands for some of the bodies of a result, by their ordinal. */
export type MappingTexts = ReadonlyMap<number, string>

/** The same for a result that comes as an object. */
export function replaceMappingBodies(mapping: JsonObject, texts: MappingTexts): JsonObject {
  let ordinal = 0
  const entries = Object.entries(mapping).map(([key, value]) =>
    PROTECTED_FIELDS.has(key) ? [key, value] : [key, texts.get(ordinal++) ?? value],
  )
  return Object.fromEntries(entries)
}
