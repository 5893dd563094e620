import type { NativeMessage } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'

/**
 * What an item of the list is to a conversation. `call`: the app answers it. `answer`: all else that comes in a
 * response. `standing`: it sets up what follows, and must stay. `unknown`: a type of some later time.
 */
export type ItemKind = 'instruction' | 'answer' | 'call' | 'result' | 'standing' | 'reference' | 'unknown'

/** What says nothing by itself but holds for all that follows, a compacted history above all. */
const standingTypes: ReadonlySet<JsonValue | undefined> = new Set([
  'additional_tools',
  'configuration_update',
  'compaction',
  'compaction_summary',
  'context_compaction',
  'compaction_trigger',
])

const answerTypes: ReadonlySet<JsonValue | undefined> = new Set([
  'reasoning',
  'mcp_list_tools',
  'program',
  'program_output',
  'tool_search_output',
])

export function itemKind(item: JsonObject): ItemKind {
  const { type, role } = item
  if (isSystem(item) || standingTypes.has(type)) return 'standing'
  if (isReference(item)) return mayBeCall(item) ? 'reference' : 'answer'
  if (isCall(item)) return 'call'
  if (isResult(item)) return 'result'
  if (isMessage(item)) return role === 'assistant' ? 'answer' : 'instruction'
  return answerTypes.has(type) || role === 'assistant' || isCallType(type) ? 'answer' : 'unknown'
}

export function isSystem(item: JsonObject): boolean {
  return item.role === 'system' || item.role === 'developer'
}

/** A message may leave out its type. */
export function isMessage(item: JsonObject): boolean {
  return item.type === 'message' || (isAbsent(item.type) && !isReference(item))
}

export function isReasoning(item: JsonObject): boolean {
  return item.type === 'reasoning' || (isReference(item) && isNamed(item, 'rs_'))
}

/** An item that only the provider holds; it may leave out its type, too. */
export function isReference(item: JsonObject): boolean {
  if (item.type === 'item_reference') return true
  return isAbsent(item.type) && item.role === undefined && typeof item.id === 'string'
}

/** Whether a reference may be of a call: OpenAI names what was said, and what was thought, in its own way. */
export function mayBeCall(reference: JsonObject): boolean {
  return !isNamed(reference, 'msg_') && !isNamed(reference, 'rs_')
}

function isNamed({ id }: JsonObject, prefix: string): boolean {
  return typeof id === 'string' && id.startsWith(prefix)
}

/** A call that the app answers, of a function or of a tool that the provider only describes. */
export function isCall(item: JsonObject): boolean {
  const { type } = item
  if (type === 'function_call' || type === 'custom_tool_call' || type === 'mcp_approval_request') return true
  return isCallType(type) && typeof item.call_id === 'string' && !isHostedCall(item)
}

/** What the app answers a call with. Outputs of what runs at the provider stand in the response instead. */
export function isResult(item: JsonObject): boolean {
  const { type } = item
  if (type === 'mcp_approval_response') return true
  if (type === 'function_call_output' || type === 'custom_tool_call_output') return true
  if (typeof type !== 'string' || !type.endsWith('_output') || pairId(item) === undefined) return false
  return type === 'tool_search_output' ? item.execution === 'client' : type !== 'program_output'
}

/** A call with an id that the provider carries out itself. */
export function isHostedCall({ type, execution, environment }: JsonObject): boolean {
  if (type === 'tool_search_call') return execution !== 'client'
  return type === 'shell_call' && isObject(environment) && environment.type === 'container_reference'
}

/** The id by which a call and its result find each other. */
export function pairId(item: JsonObject): string | undefined {
  const id =
    item.call_id ??
    (item.type === 'mcp_approval_response' ? item.approval_request_id : undefined) ??
    (item.type === 'mcp_approval_request' || item.type === 'local_shell_call_output' ? item.id : undefined)
  return typeof id === 'string' ? id : undefined
}

/**
 * Whether an item cannot be understood, or go, by itself: a call that only the provider holds, and a program, whose
 * calls come in several responses.
 */
export function bindsItsRun(item: JsonObject): boolean {
  if (isReference(item)) return mayBeCall(item)
  if (item.type === 'program' || item.type === 'program_output') return true
  return isObject(item.caller) && item.caller.type === 'program'
}

/** The items of a message: one, or the run of them that makes it. */
export function itemsOf(message: NativeMessage): readonly JsonObject[] {
  const items: readonly JsonValue[] = Array.isArray(message) ? message : [message]
  return items.filter(isObject)
}

/** A message of some items; null where there is none. */
export function messageOf(items: readonly JsonObject[]): NativeMessage | null {
  return items.length > 1 ? items : (items[0] ?? null)
}

function isCallType(type: JsonValue | undefined): boolean {
  return typeof type === 'string' && type.endsWith('_call')
}

function isAbsent(value: JsonValue | undefined): boolean {
  return value === undefined || value === null
}
