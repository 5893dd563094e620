import { isObject, type JsonObject, type JsonValue } from '../engine/json.ts'

/** What one line of the log says of one message. */
export interface LogRecord {
  readonly role: 'user' | 'assistant'
  /** Names the line; a line that stands in the log twice was said once. */
  readonly recordId: string | undefined
  /** Names the answer that an assistant line is a piece of. */
  readonly messageId: string | undefined
  /** Blocks; a plain string is a text. */
  readonly content: readonly JsonValue[]
}

type Piece = string | JsonObject

interface Turn {
  readonly role: LogRecord['role']
  /** Answers to the calls of the turn before. The provider wants them ahead of everything else. */
  readonly results: JsonObject[]
  readonly pieces: Piece[]
}

/**
 * Puts the lines of a log together as messages. One answer stands on several lines, and results of its first
 * calls may stand between them.
 *
 * - Turns must alternate, so that the turn after one with calls is the one that answers them.
 * - A piece of a known answer must join that answer, wherever it stands.
 * - A result must stand in the turn after its call, once.
 */
export function assembleTurns(records: readonly LogRecord[]): readonly JsonObject[] {
  const turns: Turn[] = []
  const seen = new Set<string>()
  const positionOfAnswer = new Map<string, number>()
  const positionOfCall = new Map<JsonValue | undefined, number>()
  const answered = new Set<JsonValue>()

  function openTurn(role: LogRecord['role']): number {
    if (turns.at(-1)?.role !== role) turns.push({ role, results: [], pieces: [] })
    return turns.length - 1
  }

  function addAnswer(id: string | undefined, pieces: readonly Piece[]): void {
    const known = id === undefined ? undefined : positionOfAnswer.get(id)
    const position = known ?? openTurn('assistant')
    if (id !== undefined) positionOfAnswer.set(id, position)
    for (const piece of pieces) {
      turns[position]?.pieces.push(piece)
      if (isBlock(piece, 'tool_use')) positionOfCall.set(piece.id, position)
    }
  }

  function addResult(result: JsonObject): void {
    const call = result.tool_use_id
    if (call !== undefined && answered.has(call)) return
    if (call !== undefined) answered.add(call)
    const asked = positionOfCall.get(call)
    const next = asked === undefined ? undefined : turns[asked + 1]
    const turn = next ?? turns[openTurn('user')]
    turn?.results.push(result)
  }

  for (const { role, recordId, messageId, content } of records) {
    if (recordId !== undefined) {
      if (seen.has(recordId)) continue
      seen.add(recordId)
    }
    const pieces = content.filter(isPiece)
    if (pieces.length === 0) continue
    if (role === 'assistant') {
      addAnswer(messageId, pieces)
      continue
    }
    for (const piece of pieces) {
      if (isBlock(piece, 'tool_result')) addResult(piece)
      else turns[openTurn('user')]?.pieces.push(piece)
    }
  }
  return turns.map(compose)
}

function isPiece(value: JsonValue): value is Piece {
  return typeof value === 'string' || isObject(value)
}

function isBlock(piece: Piece, type: string): piece is JsonObject {
  return typeof piece !== 'string' && piece.type === type
}

function compose({ role, results, pieces }: Turn): JsonObject {
  const [first] = pieces
  if (results.length === 0 && pieces.length === 1 && typeof first === 'string')
    return { role, content: first }
  const blocks = pieces.map((piece) => (typeof piece === 'string' ? { type: 'text', text: piece } : piece))
  return { role, content: [...results, ...blocks] }
}
