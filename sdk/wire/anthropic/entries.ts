import type { EntryDraft, MessageReading, NativeMessage, ReadingOptions } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { readableText } from '../../engine/readable-text.ts'
import { canonicalJson } from '../canonical-json.ts'
import { type DraftOwners, draftOwners } from '../draft-owners.ts'
import { callDraft, resultDraft } from '../drafts.ts'
import { saysFailed } from '../failed-result.ts'
import { matchContent, matchText } from '../match-text.ts'
import { readableContent } from '../readable-content.ts'
import { segmentMessage } from '../segments.ts'
import { mediaTokensFor } from './media.ts'

/** Results and calls of the provider's own tools stand in the answer. */
export function blockOwners(message: JsonObject): DraftOwners {
  return draftOwners(contentBlocks(message), {
    answer: message.role === 'assistant',
    call: isToolUse,
    result: isToolResult,
  })
}

export function readMessage(snapshot: NativeMessage, options: ReadingOptions = {}): MessageReading {
  const message = isObject(snapshot) ? snapshot : {}
  const owners = blockOwners(message)
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

export function contentBlocks(message: JsonValue): readonly JsonValue[] {
  return isObject(message) && Array.isArray(message.content) ? message.content : []
}

export function isToolUse(block: JsonValue): block is JsonObject {
  return isObject(block) && block.type === 'tool_use'
}

export function isToolResult(block: JsonValue): block is JsonObject {
  return isObject(block) && block.type === 'tool_result'
}

/** A call of a tool that the provider runs itself. */
export function isServerCall(block: JsonValue): block is JsonObject {
  return isObject(block) && (block.type === 'server_tool_use' || block.type === 'mcp_tool_use')
}

export function isServerResult(block: JsonValue): block is JsonObject {
  return isObject(block) && typeof block.type === 'string' && /._tool_result$/.test(block.type)
}

function readAssistant(message: JsonObject): readonly EntryDraft[] {
  const said = Array.isArray(message.content)
    ? message.content.filter((block) => !isToolUse(block))
    : message.content
  return [
    {
      kind: 'answer',
      matchText: matchText({ kind: 'answer', content: matchContent(said) }),
      text: readableContent(said),
    },
    ...contentBlocks(message).filter(isToolUse).map(readCall),
  ]
}

function readInput(message: JsonObject): readonly EntryDraft[] {
  const results = contentBlocks(message).filter(isToolResult)
  const rest = Array.isArray(message.content)
    ? message.content.filter((block) => !isToolResult(block))
    : message.content
  const drafts = results.map(readResult)
  if (results.length > 0 && Array.isArray(rest) && rest.length === 0) return drafts
  const kind = message.role === 'system' ? 'system' : 'instruction'
  return [
    ...drafts,
    {
      kind,
      matchText: matchText({ kind, content: matchContent(rest) }),
      text: readableContent(rest),
      // A role of some later time is kept and sent, but nobody knows that a person spoke.
      ...(kind === 'instruction' ? { startsTurn: message.role === 'user' && results.length === 0 } : {}),
    },
  ]
}

function readCall(block: JsonObject, position: number): EntryDraft {
  const callId = typeof block.id === 'string' ? block.id : undefined
  const input = block.input ?? {}
  return callDraft({
    callId,
    name: typeof block.name === 'string' ? block.name : undefined,
    written: JSON.stringify(input),
    match: ['json', canonicalJson(input)],
    matchedId: callId ?? position,
  })
}

function readResult(block: JsonObject, position: number): EntryDraft {
  const callId = typeof block.tool_use_id === 'string' ? block.tool_use_id : undefined
  return resultDraft({
    callId,
    content: [...matchContent(block.content), ...failure(block)],
    text: readableContent(block.content, readableText),
    failed: block.is_error === true || saysFailed(block.content),
    ownId: callId,
    place: position,
  })
}

/** A result that failed is another result than the same words of one that did not. */
function failure(block: JsonObject): readonly (readonly [string, string])[] {
  return block.is_error === true ? [['error', '']] : []
}
