import type { LintFault } from '../../engine/format.ts'
import type { JsonObject, JsonValue } from '../../engine/json.ts'
import { contentParts, isProviderCall, isToolCall, isToolResult } from './parts.ts'

/**
 * Every call of the app's tools has its result before a person or the system speaks again, and at the end
 * (`AI_MissingToolResultsError`); no result stands there without its call. A call of the provider's own tools may be
 * answered by any later answer, or never.
 */
export function lintPairs(messages: readonly JsonObject[]): readonly LintFault[] {
  const pairs = new Pairs()
  for (const [position, message] of messages.entries()) {
    if (message.role === 'user' || message.role === 'system') pairs.closeCalls()
    for (const [order, part] of contentParts(message).entries()) {
      const path = `prompt[${position}].content[${order}]`
      if (message.role === 'assistant') pairs.takeAnswer(part, path)
      else if (message.role === 'tool' && isToolResult(part)) pairs.takeResult(part.toolCallId, path)
    }
  }
  pairs.closeCalls()
  return pairs.faults
}

class Pairs {
  readonly faults: LintFault[] = []
  /** Calls that have no result yet: their place by id. */
  readonly #open = new Map<string, string>()
  readonly #answered = new Set<string>()
  readonly #called = new Set<unknown>()
  readonly #providerCalls = new Set<unknown>()

  takeAnswer(part: JsonValue, path: string): void {
    if (isProviderCall(part)) this.#providerCalls.add(part.toolCallId)
    if (isToolCall(part)) this.#takeCall(part.toolCallId, path)
    if (isToolResult(part) && !this.#providerCalls.has(part.toolCallId))
      this.#add('result_without_call', path, 'no call of the provider before it has this id')
  }

  takeResult(id: JsonValue | undefined, path: string): void {
    if (typeof id === 'string' && this.#open.delete(id)) this.#answered.add(id)
    else if (typeof id === 'string' && this.#answered.has(id))
      this.#add('duplicate_result', path, 'this call has a result already')
    else if (this.#called.has(id))
      this.#add('result_not_adjacent', path, 'must stand before a person or the system speaks again')
    else if (!this.#providerCalls.has(id))
      this.#add('result_without_call', path, 'no message before it holds its call')
  }

  closeCalls(): void {
    for (const path of this.#open.values())
      this.#add('call_without_result', path, 'no tool message answers this call before the next message')
    this.#open.clear()
    this.#answered.clear()
  }

  #takeCall(id: JsonValue | undefined, path: string): void {
    if (typeof id !== 'string') this.#add('call_without_id', path, 'a call must have an id')
    else if (this.#open.has(id)) this.#add('duplicate_call_id', path, 'an open call has this id already')
    else {
      this.#open.set(id, path)
      this.#called.add(id)
    }
  }

  #add(rule: string, path: string, message: string): void {
    this.faults.push({ rule, path, message })
  }
}
