import { isObject, type JsonValue } from '../engine/json.ts'
import { assembleTurns, type LogRecord } from './claude-code-turns.ts'
import type { Conversation } from './conversation.ts'
import { unreadable } from './unreadable.ts'

interface LogLine extends LogRecord {
  readonly sidechain: boolean
  readonly model: string | undefined
}

/**
 * Rebuilds the message list that Claude Code sent, from its log; `undefined` where no line is one of its
 * records. Progress, snapshots, summaries and error notices were never sent.
 */
export function readClaudeCode(log: readonly JsonValue[]): Conversation | undefined {
  if (!log.some(isLogRecord)) return undefined
  const lines = log.map(readLine).filter((line) => line !== undefined)
  // A subagent's own log is one sidechain; in a main log a sidechain is somebody else's conversation.
  const main = lines.filter((line) => !line.sidechain)
  const messages = assembleTurns(main.length > 0 ? main : lines)
  if (messages.length === 0)
    throw unreadable({
      expected: 'a Claude Code log with user or assistant records',
      actual: `${log.length} records without any`,
      advice: 'choose the log of a session in which something was said',
    })
  const model = lines.map((line) => line.model).findLast((name) => name !== undefined && !isPlaceholder(name))
  return model !== undefined
    ? { format: 'anthropic', model, request: { model }, messages }
    : { format: 'anthropic', request: {}, messages }
}

function isLogRecord(line: JsonValue): boolean {
  return (
    isObject(line) &&
    typeof line.type === 'string' &&
    (isObject(line.message) || 'sessionId' in line || 'leafUuid' in line)
  )
}

/** The client's stand-in for a model, on answers that it wrote itself. */
function isPlaceholder(model: string): boolean {
  return model.startsWith('<')
}

function readLine(line: JsonValue): LogLine | undefined {
  if (!isObject(line) || (line.type !== 'user' && line.type !== 'assistant')) return undefined
  // The client's own summary, and its notices about failed requests: the model was sent neither.
  if (line.isCompactSummary || line.isVisibleInTranscriptOnly || line.isApiErrorMessage) return undefined
  const { message } = line
  if (!isObject(message)) return undefined
  const { content } = message
  if (typeof content !== 'string' && !Array.isArray(content)) return undefined
  return {
    role: line.type,
    recordId: textOf(line.uuid),
    messageId: textOf(message.id),
    content: typeof content === 'string' ? [content] : content,
    sidechain: line.isSidechain === true,
    model: textOf(message.model),
  }
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
