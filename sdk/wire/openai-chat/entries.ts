import type { EntryDraft, MessageReading, NativeMessage, ReadingOptions } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { readableText } from '../../engine/readable-text.ts'
import { callDraft, resultDraft } from '../drafts.ts'
import { saysFailed } from '../failed-result.ts'
import { type MatchPart, matchArguments, matchContent, matchText } from '../match-text.ts'
import { readableContent } from '../readable-content.ts'
import { segmentMessage } from '../segments.ts'
import { mediaTokensFor } from './media.ts'
import { isSystem } from './read.ts'

/** One draft per message; an assistant message is an answer and then its calls (rules.md 2, "Entries"). */
export function readMessage(snapshot: NativeMessage, options: ReadingOptions = {}): MessageReading {
  const message = isObject(snapshot) ? snapshot : {}
  const mediaTokens = mediaTokensFor(options.model)
  if (message.role !== 'assistant')
    return { drafts: [readSingle(message)], segments: segmentMessage({ message, frame: 0, mediaTokens }) }
  const calls = listedCalls(message)
  const legacy = legacyCall(message)
  return {
    drafts: [readAnswer(message), ...[...calls, ...legacy].map(readCall)],
    segments: segmentMessage({
      message,
      frame: 0,
      owners: { tool_calls: calls.map((_, position) => position + 1), function_call: calls.length + 1 },
      mediaTokens,
    }),
  }
}

/** Calls of an assistant message; the draft of the first one has ordinal 1. */
export function listedCalls(message: JsonObject): readonly JsonValue[] {
  return Array.isArray(message.tool_calls) ? message.tool_calls : []
}

/** The one call of the dialect before tools, which comes after the listed ones and has no id. */
export function legacyCall(message: JsonObject): readonly JsonValue[] {
  return isObject(message.function_call) ? [message.function_call] : []
}

function readSingle(message: JsonObject): EntryDraft {
  if (message.role === 'tool' || message.role === 'function') return readResult(message)
  const kind = isSystem(message) ? 'system' : 'instruction'
  return {
    kind,
    matchText: matchText({ kind, content: matchContent(message.content) }),
    text: readableContent(message.content),
    // A role of some later time is kept and sent, but nobody knows that a person spoke.
    ...(kind === 'instruction' ? { startsTurn: message.role === 'user' } : {}),
  }
}

function readAnswer(message: JsonObject): EntryDraft {
  const refusal = typeof message.refusal === 'string' && message.refusal !== '' ? message.refusal : null
  const text = readableContent(message.content)
  const content: readonly MatchPart[] = [
    ...matchContent(message.content),
    ...(refusal === null ? [] : matchContent([{ type: 'refusal', refusal }])),
    ...(isObject(message.audio) ? matchContent([{ type: 'audio', audio: message.audio }]) : []),
  ]
  return {
    kind: 'answer',
    matchText: matchText({ kind: 'answer', content }),
    text: refusal === null ? text : [text, refusal].filter((part) => part !== '').join('\n'),
  }
}

function readCall(call: JsonValue, position: number): EntryDraft {
  const { callId, name, arguments: written } = callFacts(call)
  return callDraft({
    callId,
    name,
    written,
    match: matchArguments(written ?? ''),
    matchedId: callId ?? position,
  })
}

function callFacts(call: JsonValue): Pick<EntryDraft, 'callId' | 'name' | 'arguments'> {
  if (!isObject(call)) return {}
  const body = isObject(call.function) ? call.function : isObject(call.custom) ? call.custom : call
  const written = body.arguments ?? body.input
  return {
    ...(typeof call.id === 'string' ? { callId: call.id } : {}),
    ...(typeof body.name === 'string' ? { name: body.name } : {}),
    ...(written === undefined || written === null
      ? {}
      : { arguments: typeof written === 'string' ? written : JSON.stringify(written) }),
  }
}

function readResult(message: JsonObject): EntryDraft {
  const callId = typeof message.tool_call_id === 'string' ? message.tool_call_id : undefined
  return resultDraft({
    callId,
    name: typeof message.name === 'string' ? message.name : undefined,
    content: matchContent(message.content),
    text: readableContent(message.content, readableText),
    failed: saysFailed(message.content),
    ownId: callId,
    place: 0,
  })
}
