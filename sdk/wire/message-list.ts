import type { LintFault, ShapeFault } from '../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../engine/json.ts'

export type MessageListReading =
  | { readonly type: 'list'; readonly messages: readonly JsonObject[] }
  | { readonly type: 'fault'; readonly fault: ShapeFault }

export interface MessageListOptions {
  readonly request: JsonObject
  readonly key: string
  /** The first thing about one message that cannot be read, or null. */
  readonly check: (message: JsonObject, path: string) => ShapeFault | null
}

/** The message list of a request, or the first thing in it that cannot be read. */
export function readMessageList(options: MessageListOptions): MessageListReading {
  const { request, key, check } = options
  const list = request[key]
  if (!Array.isArray(list) || list.length === 0) {
    const actual = Array.isArray(list) ? 'an empty list' : typeName(list)
    return { type: 'fault', fault: { path: key, expected: 'a list of at least one message', actual } }
  }
  const messages: JsonObject[] = []
  for (let position = 0; position < list.length; position++) {
    const message: JsonValue | undefined = list[position]
    if (!isObject(message) || check(message, '') !== null)
      return { type: 'fault', fault: faultOf(message, `${key}[${position}]`, check) }
    messages.push(message)
  }
  return { type: 'list', messages }
}

/** Its path is only put together where there is a fault: a long list is read on every send. */
function faultOf(
  message: JsonValue | undefined,
  path: string,
  check: MessageListOptions['check'],
): ShapeFault {
  const actual = { path, expected: 'a message object', actual: typeName(message) }
  return isObject(message) ? (check(message, path) ?? actual) : actual
}

/** The first fault of a message's role, or of content that is neither text nor a list of objects nor absent. */
export function checkRoleAndContent(message: JsonObject, path: string): ShapeFault | null {
  if (typeof message.role !== 'string')
    return { path: `${path}.role`, expected: 'a role such as "user"', actual: typeName(message.role) }
  return checkContent(message.content, `${path}.content`)
}

function checkContent(content: JsonValue | undefined, path: string): ShapeFault | null {
  if (content === undefined || content === null || typeof content === 'string') return null
  return checkObjects(content, path, 'text or a list of content blocks')
}

/** The first fault of what must be a list of objects. */
export function checkObjects(
  value: JsonValue | undefined,
  path: string,
  expected: string,
): ShapeFault | null {
  if (!Array.isArray(value)) return { path, expected, actual: typeName(value) }
  const position = value.findIndex((item) => !isObject(item))
  if (position < 0) return null
  return { path: `${path}[${position}]`, expected: 'an object', actual: typeName(value[position]) }
}

/** A request that cannot be read, as what its provider would say of it. */
export function malformed({ path, expected, actual }: ShapeFault): LintFault {
  return { rule: 'malformed', path, message: `must be ${expected}, is ${actual}` }
}

/** Name of a value's type: never the value. */
export function typeName(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : typeof value
}
