import { isObject, type JsonValue } from '../engine/json.ts'
import { readBody } from './body.ts'
import { readClaudeCode } from './claude-code.ts'
import type { Conversation } from './conversation.ts'
import { roundsOf } from './rounds.ts'
import { unreadable } from './unreadable.ts'

/** A recorded conversation, and where in it a request left. */
export interface Transcript extends Conversation {
  /**
   * Lengths of the message list, ascending: a round of length `n` is the request
   * `{ ...request, messages: messages.slice(0, n) }`. One for every answer of the model, and a last one where
   * the record ends before its answer.
   */
  readonly rounds: readonly number[]
}

/**
 * Reads an OpenAI Chat body, an Anthropic Messages body, or a Claude Code log (one JSON record per line, or
 * the same records as one JSON array). Blocks of unknown types are kept as they are.
 *
 * Throws a `DogearError` with code `transcript_unreadable` that says what was expected and what to do.
 */
export function parseTranscript(text: string): Transcript {
  const conversation = readConversation(parseRecords(text))
  const rounds = roundsOf(conversation.messages)
  if (rounds.length === 0)
    throw unreadable({
      expected: 'a conversation with at least one user message',
      actual: 'messages from which no request could have been made',
      advice: 'record the conversation from its first user message on',
    })
  return { ...conversation, rounds }
}

function readConversation(value: JsonValue): Conversation {
  if (isObject(value) && 'messages' in value) return readBody(value)
  return readClaudeCode(Array.isArray(value) ? value : [value]) ?? readBody(value)
}

/** One JSON value, or an array of the values that stand on lines of their own. */
function parseRecords(text: string): JsonValue {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  if (source.trim() === '')
    throw unreadable({
      expected: 'a conversation as JSON',
      actual: 'an empty text',
      advice: 'choose the file that holds the recorded conversation',
    })
  const whole = parseJson(source)
  return whole === undefined ? parseLines(source) : whole
}

function parseLines(source: string): JsonValue {
  const lines = source.split('\n')
  const records: JsonValue[] = []
  for (const [number, line] of lines.entries()) {
    if (line.trim() === '') continue
    const record = parseJson(line)
    if (record !== undefined) {
      records.push(record)
      continue
    }
    // A log that is still being written may end inside a record.
    if (records.length > 0 && isLast(lines, number)) break
    throw unreadable({
      expected: 'one JSON value, or one JSON record on every line',
      actual: `text that is not JSON on line ${number + 1}`,
      advice: 'export the conversation again, or repair that line',
    })
  }
  return records
}

function isLast(lines: readonly string[], number: number): boolean {
  return lines.slice(number + 1).every((line) => line.trim() === '')
}

/** `undefined` for text that is not JSON: the parser's own message would quote the conversation. */
function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
