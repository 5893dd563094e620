import { isErrorObject, isFailedResult } from '../../engine/error-report.ts'
import { isObject, type JsonObject } from '../../engine/json.ts'
import {
  type MappingTexts,
  mappingBodies,
  mappingText,
  readableText,
  replaceMappingBodies,
  type TextBody,
} from '../../engine/readable-text.ts'
import { canonicalJson } from '../canonical-json.ts'
import { type MatchPart, matchContent } from '../match-text.ts'
import { readableContent } from '../readable-content.ts'
import { contentBodies, replaceContentBodies } from '../result-bodies.ts'
import { partBlocks } from './part-blocks.ts'
import { contentParts } from './parts.ts'

/** What a function gave back is an object, and media beside it in parts of their own. */
export function responseText(response: JsonObject): string {
  const media = partBlocks(contentParts(response))
  const text = valueText(response)
  return media.length === 0 ? text : [text, readableContent(media)].filter((part) => part !== '').join('\n')
}

/** Each value of the object is a body; the media have none (rules.md 2, "renders as it did"). */
export function responseBodies({ response: value }: JsonObject): readonly TextBody[] {
  if (isObject(value)) return mappingBodies(value)
  return contentBodies(value)
}

/** The response with some of its bodies replaced: the object keeps every key, in its order. */
export function replaceResponseBodies(response: JsonObject, texts: MappingTexts): JsonObject {
  const { response: value } = response
  return {
    ...response,
    response: isObject(value) ? replaceMappingBodies(value, texts) : replaceContentBodies(value, texts),
  }
}

export function responseMatch(response: JsonObject): readonly MatchPart[] {
  const { response: value } = response
  return [['json', canonicalJson(value ?? null)], ...matchContent(partBlocks(contentParts(response)))]
}

/** By convention a call that failed gives `error`; many functions put their one text under a name of their own. */
export function responseFailed({ response: value }: JsonObject): boolean {
  if (!isObject(value)) return typeof value === 'string' && isFailedResult(value)
  if (isErrorObject(value)) return true
  const [only, ...others] = Object.values(value)
  return others.length === 0 && typeof only === 'string' && isFailedResult(only)
}

function valueText({ response: value }: JsonObject): string {
  if (isObject(value)) return mappingText(value)
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? readableText(value) : JSON.stringify(value)
}
