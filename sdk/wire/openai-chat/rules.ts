import type { LintFault } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { malformed } from '../message-list.ts'
import { legacyCall, listedCalls } from './entries.ts'
import { checkRequest } from './read.ts'
import { lintPairs } from './tool-rules.ts'

/** What Chat Completions and its dialects reject with status 400, by the message it is about. */
export function lint(request: JsonObject): readonly LintFault[] {
  const list = checkRequest(request)
  if (list.type === 'fault') return [malformed(list.fault)]
  const faults: LintFault[] = []
  for (const [position, message] of list.messages.entries())
    for (const { key, ...fault } of lintMessage(message))
      faults.push({ ...fault, path: `messages[${position}].${key}` })
  return [...faults, ...lintPairs(list.messages)]
}

const roles: ReadonlySet<JsonValue | undefined> = new Set([
  'system',
  'developer',
  'user',
  'assistant',
  'tool',
  'function',
])

interface MessageFault extends Omit<LintFault, 'path'> {
  readonly key: string
}

function lintMessage(message: JsonObject): readonly MessageFault[] {
  const faults: MessageFault[] = []
  if (!roles.has(message.role))
    faults.push({ rule: 'unknown_role', key: 'role', message: 'no role of this format' })
  if (Array.isArray(message.tool_calls) && message.tool_calls.length === 0)
    faults.push({
      rule: 'empty_calls',
      key: 'tool_calls',
      message: 'must hold a call, or not be there',
    })
  if (Array.isArray(message.content) && message.content.length === 0)
    faults.push({
      rule: 'empty_content',
      key: 'content',
      message: 'a list of parts must hold at least one',
    })
  if ((message.content === undefined || message.content === null) && !mayLackContent(message))
    faults.push({
      rule: 'missing_content',
      key: 'content',
      message: 'must be text or a list of parts',
    })
  return faults
}

/** An answer may call, decline or speak instead of writing. */
function mayLackContent(message: JsonObject): boolean {
  const speaks = isObject(message.audio) || typeof message.refusal === 'string'
  return speaks || listedCalls(message).length > 0 || legacyCall(message).length > 0
}
