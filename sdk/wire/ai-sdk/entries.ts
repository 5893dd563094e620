import type { EntryDraft, MessageReading, NativeMessage, ReadingOptions } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { canonicalJson } from '../canonical-json.ts'
import { type MatchPart, matchArguments, matchContent, matchText } from '../match-text.ts'
import { readableContent } from '../readable-content.ts'
import { segmentMessage } from '../segments.ts'
import { mediaTokensFor } from './media.ts'
import { isFailedOutput, matchOutput, outputText } from './output.ts'
import { contentParts, isToolCall, isToolResult } from './parts.ts'
import { comparableParts, readableParts } from './readable-parts.ts'

/** How the parts of a message fall to its drafts. */
export interface PartOwners {
  /** Draft of each part. Content given as text has no parts. */
  readonly parts: readonly number[]
  /** Draft that owns the frame, and what no other draft owns. */
  readonly frame: number
}

/**
 * An assistant message is an answer and then its calls; any other message is its results and then, where anything
 * else is in it or nothing at all, one instruction (rules.md 2, "Entries"). Calls and results of the provider's
 * own tools stand in the answer.
 */
export function partOwners(message: JsonObject): PartOwners {
  const parts = contentParts(message)
  if (message.role === 'assistant') {
    let call = 0
    return { parts: parts.map((part) => (isToolCall(part) ? ++call : 0)), frame: 0 }
  }
  const results = parts.filter(isToolResult).length
  const hasRest = results < parts.length || results === 0
  let result = 0
  return {
    parts: parts.map((part) => (isToolResult(part) ? result++ : results)),
    frame: hasRest ? results : 0,
  }
}

export function readMessage(snapshot: NativeMessage, options: ReadingOptions = {}): MessageReading {
  const message = isObject(snapshot) ? snapshot : {}
  const owners = partOwners(message)
  return {
    drafts: message.role === 'assistant' ? readAssistant(message) : readInput(message),
    segments: segmentMessage({
      message,
      frame: owners.frame,
      owners: { content: owners.parts },
      mediaTokens: mediaTokensFor(options.model),
    }),
  }
}

function readAssistant(message: JsonObject): readonly EntryDraft[] {
  const said = without(message.content, isToolCall)
  return [
    {
      kind: 'answer',
      matchText: matchText({ kind: 'answer', content: matchContent(comparableParts(said)) }),
      text: readableContent(readableParts(said)),
    },
    ...contentParts(message).filter(isToolCall).map(readCall),
  ]
}

function readInput(message: JsonObject): readonly EntryDraft[] {
  const results = contentParts(message).filter(isToolResult)
  const rest = without(message.content, isToolResult)
  const drafts = results.map(readResult)
  if (results.length > 0 && Array.isArray(rest) && rest.length === 0) return drafts
  const kind = message.role === 'system' ? 'system' : 'instruction'
  return [
    ...drafts,
    {
      kind,
      matchText: matchText({ kind, content: matchContent(comparableParts(rest)) }),
      text: readableContent(readableParts(rest)),
      // A role of some later time is kept and sent, but nobody knows that a person spoke.
      ...(kind === 'instruction' ? { startsTurn: message.role === 'user' && results.length === 0 } : {}),
    },
  ]
}

function without(
  content: JsonValue | undefined,
  isLeftOut: (part: JsonValue) => boolean,
): JsonValue | undefined {
  return Array.isArray(content) ? content.filter((part) => !isLeftOut(part)) : content
}

function readCall(part: JsonObject, position: number): EntryDraft {
  const { callId, name } = namesOf(part)
  const { written, match } = inputOf(part.input)
  return {
    kind: 'call',
    matchText: matchText({
      kind: 'call',
      content: [],
      name,
      arguments: match,
      callId: callId ?? position,
    }),
    text: `${name ?? ''}(${written})`,
    arguments: written,
    ...(callId === undefined ? {} : { callId }),
    ...(name === undefined ? {} : { name }),
  }
}

/** The input is a value as a rule; some apps keep it as the JSON text that the model wrote. */
function inputOf(input: JsonValue = {}): { readonly written: string; readonly match: MatchPart } {
  if (typeof input === 'string') return { written: input, match: matchArguments(input) }
  return { written: JSON.stringify(input), match: ['json', canonicalJson(input)] }
}

function readResult(part: JsonObject, position: number): EntryDraft {
  const { callId, name } = namesOf(part)
  return {
    kind: 'result',
    matchText: matchText({
      kind: 'result',
      content: matchOutput(part.output),
      // The name is decoration beside an id, and the only link without one.
      name: callId === undefined ? name : undefined,
      callId: callId ?? position,
    }),
    text: outputText(part.output),
    ...(callId === undefined ? {} : { callId }),
    ...(name === undefined ? {} : { name }),
    ...(isFailedOutput(part.output) ? { failed: true } : {}),
  }
}

function namesOf({ toolCallId, toolName }: JsonObject): Pick<EntryDraft, 'callId' | 'name'> {
  return {
    ...(typeof toolCallId === 'string' ? { callId: toolCallId } : {}),
    ...(typeof toolName === 'string' ? { name: toolName } : {}),
  }
}
