import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import type { Rejection } from './dialect.ts'
import { objectsOf, textOf } from './json-reading.ts'

export function invalid(message: string): Rejection {
  return { status: 400, body: { type: 'error', error: { type: 'invalid_request_error', message } } }
}

export function blocksOf(content: JsonValue | undefined): readonly JsonObject[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content)
}

export interface PlacedBlock {
  readonly block: JsonObject
  /** As Anthropic writes it: `messages.2.content.0`. */
  readonly path: string
}

/** Neighbouring messages of one role, which are read as one. */
export interface Turn {
  readonly role: string
  /** Of its first message. */
  readonly place: number
  readonly blocks: readonly PlacedBlock[]
}

export function turnsOf(messages: readonly JsonObject[]): readonly Turn[] {
  const turns: { role: string; place: number; blocks: PlacedBlock[] }[] = []
  for (const [place, { role, content }] of messages.entries()) {
    const blocks = blocksOf(content).map((block, position) => ({
      block,
      path: `messages.${place}.content.${position}`,
    }))
    const last = turns.at(-1)
    if (last !== undefined && last.role === role) last.blocks.push(...blocks)
    else turns.push({ role: textOf(role), place, blocks })
  }
  return turns
}

export function isBlock(...types: readonly string[]): (placed: PlacedBlock | undefined) => boolean {
  return (placed) => placed !== undefined && types.includes(textOf(placed.block.type))
}

export const isThinking = isBlock('thinking', 'redacted_thinking')

/** A call of a tool that runs at the provider. */
export const isServerCall = isBlock('server_tool_use', 'mcp_tool_use')

export function isServerResult(placed: PlacedBlock | undefined): boolean {
  return /._tool_result$/.test(textOf(placed?.block.type))
}

/** The answer goes on by itself from there. */
export function endsInServerTool({ blocks }: Turn): boolean {
  return isServerCall(blocks.at(-1)) || isServerResult(blocks.at(-1))
}

/** Whether blocks are the results of calls, or have some among them. */
export function bringsResults(turn: Turn | undefined): boolean {
  return turn?.role === 'user' && turn.blocks.some(isBlock('tool_result'))
}

export function isOn(thinking: JsonValue | undefined): boolean {
  return isObject(thinking) && thinking.type === 'enabled'
}
