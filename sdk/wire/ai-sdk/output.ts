import { isErrorObject } from '../../engine/error-report.ts'
import { isObject, type JsonObject, type JsonValue, sortedJson } from '../../engine/json.ts'
import { JSON_LABEL } from '../../engine/projection.ts'
import {
  mappingBodies,
  mappingText,
  readableText,
  replaceMappingBodies,
  replaceTextBodies,
  type TextBody,
  textBodies,
} from '../../engine/readable-text.ts'
import { canonicalJson } from '../canonical-json.ts'
import { saysFailed } from '../failed-result.ts'
import { type MatchPart, matchContent } from '../match-text.ts'
import { isOnlyRead, readableContent } from '../readable-content.ts'
import { contentBodies, replaceContentBodies } from '../result-bodies.ts'
import { comparableParts, readableParts } from './readable-parts.ts'

type Output = JsonValue | undefined

/** What a result comes to, whichever of its types the output has. */
type OutputContent =
  /** Text, or JSON that is a text. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'mapping'; readonly mapping: JsonObject }
  /** Any other JSON. */
  | { readonly type: 'json'; readonly value: JsonValue }
  | { readonly type: 'parts'; readonly parts: readonly JsonValue[] }
  | { readonly type: 'none' }

function contentOf(output: Output): OutputContent {
  if (!isObject(output) || output.value === undefined) return { type: 'none' }
  const { value } = output
  switch (output.type) {
    case 'text':
    case 'error-text':
      return typeof value === 'string' ? { type: 'text', text: value } : { type: 'none' }
    case 'json':
    case 'error-json':
      if (typeof value === 'string') return { type: 'text', text: value }
      return isObject(value) ? { type: 'mapping', mapping: value } : { type: 'json', value }
    case 'content':
      return Array.isArray(value) ? { type: 'parts', parts: value } : { type: 'none' }
    default:
      return { type: 'none' }
  }
}

/** The text of `read_result`. */
export function outputText(output: Output): string {
  const content = contentOf(output)
  switch (content.type) {
    case 'text':
      return readableText(content.text)
    case 'mapping':
      return mappingText(content.mapping)
    case 'json':
      return sortedJson(content.value)
    case 'parts':
      return readableContent(readableParts(content.parts), readableText)
    case 'none':
      return isObject(output) && typeof output.reason === 'string' ? output.reason : ''
  }
}

/** A list is one body, for else it could never be shortened (rules.md 5). */
export function outputBodies(output: Output): readonly TextBody[] {
  const content = contentOf(output)
  switch (content.type) {
    case 'text':
      return textBodies(content.text)
    case 'mapping':
      return mappingBodies(content.mapping)
    case 'json':
      return [{ source: sortedJson(content.value), base: 0, label: JSON_LABEL }]
    case 'parts':
      return contentBodies(readableParts(content.parts))
    case 'none':
      return []
  }
}

/** The output with some of its bodies replaced, in its own form. */
export function replaceOutputBodies(output: JsonValue, texts: ReadonlyMap<number, string>): JsonValue {
  if (!isObject(output)) return output
  const content = contentOf(output)
  switch (content.type) {
    case 'text':
      return { ...output, value: replaceTextBodies(content.text, texts) }
    case 'mapping':
      return { ...output, value: replaceMappingBodies(content.mapping, texts) }
    case 'json':
      return { ...output, value: texts.get(0) ?? content.value }
    case 'parts':
      return { ...output, value: replaceContentBodies(content.parts, texts) }
    case 'none':
      return output
  }
}

/** A text in the place of an output; null where the call failed, or the output is more than what it says. */
export function clearedOutput(output: Output, text: string): JsonObject | null {
  if (!isObject(output) || isError(output)) return null
  const content = contentOf(output)
  if (content.type === 'none') return null
  if (content.type === 'parts' && !isOnlyRead(readableParts(content.parts))) return null
  return { ...output, type: 'text', value: text }
}

/** What of an output makes two results the same. A result that failed is another than the same words of one that did not. */
export function matchOutput(output: Output): readonly MatchPart[] {
  return [...matchedContent(output), ...(isError(output) ? [['error', ''] as const] : [])]
}

function matchedContent(output: Output): readonly MatchPart[] {
  const content = contentOf(output)
  switch (content.type) {
    case 'text':
      // A text and the JSON of it are read alike, and yet they are not the same to the model.
      return isObject(output) && isJson(output)
        ? [['json', canonicalJson(content.text)]]
        : matchContent(content.text)
    case 'mapping':
      return [['json', canonicalJson(content.mapping)]]
    case 'json':
      return [['json', canonicalJson(content.value)]]
    case 'parts':
      return matchContent(comparableParts(content.parts))
    case 'none':
      return matchContent([isObject(output) ? output : { output: output ?? null }])
  }
}

/** The type says that the call failed, or that nobody let it run; or the result itself says so. */
export function isFailedOutput(output: Output): boolean {
  if (isError(output) || (isObject(output) && output.type === 'execution-denied')) return true
  const content = contentOf(output)
  if (content.type === 'mapping') return isErrorObject(content.mapping)
  if (content.type === 'text') return saysFailed(content.text)
  return content.type === 'parts' && saysFailed(content.parts)
}

function isError(output: Output): boolean {
  return isObject(output) && (output.type === 'error-text' || output.type === 'error-json')
}

function isJson({ type }: JsonObject): boolean {
  return type === 'json' || type === 'error-json'
}
