import type { EntryDraft } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { readableText } from '../../engine/readable-text.ts'
import { callDraft, resultDraft } from '../drafts.ts'
import { saysFailed } from '../failed-result.ts'
import { matchArguments, matchContent } from '../match-text.ts'
import { readableContent } from '../readable-content.ts'
import { pairId } from './items.ts'

export function readCall(item: JsonObject, position: number): EntryDraft {
  const callId = pairId(item)
  const written = callArguments(item)
  return callDraft({
    callId,
    name: callName(item),
    written,
    match: matchArguments(written),
    matchedId: callId ?? position,
  })
}

/** A tool that the provider describes has no name but its type. */
function callName({ name, type }: JsonObject): string {
  if (typeof name === 'string') return name
  return typeof type === 'string' ? type.replace(/_call$/, '') : ''
}

const incidentalKeys: ReadonlySet<string> = new Set(['type', 'id', 'call_id', 'status'])

/** As the model wrote them; for a tool of the provider's, all that it is asked to do. */
function callArguments(item: JsonObject): string {
  const written = item.arguments ?? item.input
  if (typeof written === 'string') return written
  if (written !== undefined && written !== null) return JSON.stringify(written)
  return JSON.stringify(
    Object.fromEntries(Object.entries(item).filter(([key]) => !incidentalKeys.has(key) && key !== 'name')),
  )
}

export function readResult(item: JsonObject): EntryDraft {
  const callId = pairId(item)
  const content = resultContent(item)
  return resultDraft({
    callId,
    content: matchContent(content),
    text: readableContent(content, readableText),
    failed: item.status === 'failed' || saysFailed(content),
    ownId: callId,
    place: 0,
  })
}

/** The output as text or as a list of parts; an answer of another form is one part. */
function resultContent(item: JsonObject): JsonValue {
  const { output } = item
  if (typeof output === 'string' || Array.isArray(output)) return output
  if (isObject(output)) return [output]
  return [Object.fromEntries(Object.entries(item).filter(([key]) => !incidentalKeys.has(key)))]
}
