import type { EntryDraft, MessageReading, NativeMessage, ReadingOptions } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { canonicalJson } from '../canonical-json.ts'
import { type DraftOwners, draftOwners } from '../draft-owners.ts'
import { callDraft, resultDraft } from '../drafts.ts'
import { type MatchPart, matchArguments, matchContent, matchText } from '../match-text.ts'
import { readableContent } from '../readable-content.ts'
import { segmentMessage } from '../segments.ts'
import { mediaTokensFor } from './media.ts'
import { isFailedOutput, matchOutput, outputText } from './output.ts'
import { contentParts, isToolCall, isToolResult } from './parts.ts'
import { comparableParts, readableParts } from './readable-parts.ts'

/** Calls and results of the provider's own tools stand in the answer. */
export function partOwners(message: JsonObject): DraftOwners {
  return draftOwners(contentParts(message), {
    answer: message.role === 'assistant',
    call: isToolCall,
    result: isToolResult,
  })
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
  return callDraft({ callId, name, ...inputOf(part.input), matchedId: callId ?? position })
}

/** The input is a value as a rule; some apps keep it as the JSON text that the model wrote. */
function inputOf(input: JsonValue = {}): { readonly written: string; readonly match: MatchPart } {
  if (typeof input === 'string') return { written: input, match: matchArguments(input) }
  return { written: JSON.stringify(input), match: ['json', canonicalJson(input)] }
}

function readResult(part: JsonObject, position: number): EntryDraft {
  const { callId, name } = namesOf(part)
  return resultDraft({
    callId,
    name,
    content: matchOutput(part.output),
    text: outputText(part.output),
    failed: isFailedOutput(part.output),
    ownId: callId,
    place: position,
  })
}

function namesOf({ toolCallId, toolName }: JsonObject): {
  readonly callId: string | undefined
  readonly name: string | undefined
} {
  return {
    callId: typeof toolCallId === 'string' ? toolCallId : undefined,
    name: typeof toolName === 'string' ? toolName : undefined,
  }
}
