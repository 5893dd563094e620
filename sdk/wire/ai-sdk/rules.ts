import type { LintFault } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { malformed } from '../message-list.ts'
import { contentParts } from './parts.ts'
import { checkRequest } from './read.ts'
import { lintPairs } from './tool-rules.ts'

/** What the AI SDK refuses before it sends anything, and what its specification leaves no adapter a way to send. */
export function lint(request: JsonObject): readonly LintFault[] {
  const list = checkRequest(request)
  if (list.type === 'fault') return [malformed(list.fault)]
  return [
    ...list.messages.flatMap((message, position) => lintMessage(message, `prompt[${position}]`)),
    ...lintPairs(list.messages),
  ]
}

const roles: ReadonlySet<JsonValue | undefined> = new Set(['system', 'user', 'assistant', 'tool'])

function lintMessage(message: JsonObject, path: string): readonly LintFault[] {
  const { role, content } = message
  if (!roles.has(role))
    return [{ rule: 'unknown_role', path: `${path}.role`, message: 'no role of this format' }]
  if (role === 'system')
    return typeof content === 'string'
      ? []
      : [{ rule: 'system_not_text', path: `${path}.content`, message: 'must be a text' }]
  if (Array.isArray(content) && content.length === 0)
    return [{ rule: 'empty_content', path: `${path}.content`, message: 'must hold at least one part' }]
  return contentParts(message).flatMap((part, position) =>
    isObject(part) ? lintPart(part, `${path}.content[${position}]`, role) : [],
  )
}

/** Roles for which a kind of part is made; a kind that nobody knows may stand anywhere. */
const rolesOfPart: ReadonlyMap<JsonValue | undefined, readonly JsonValue[]> = new Map([
  ['text', ['user', 'assistant']],
  ['file', ['user', 'assistant']],
  ['reasoning', ['assistant']],
  ['reasoning-file', ['assistant']],
  ['custom', ['assistant']],
  ['tool-call', ['assistant']],
  ['tool-result', ['assistant', 'tool']],
  ['tool-approval-response', ['tool']],
])

function lintPart(part: JsonObject, path: string, role: JsonValue | undefined): readonly LintFault[] {
  const allowed = rolesOfPart.get(part.type)
  if (allowed === undefined || (role !== undefined && allowed.includes(role))) return []
  const message = `may stand in a message of role ${allowed.map((name) => `"${name}"`).join(' or ')} only`
  return [{ rule: 'part_in_wrong_role', path, message }]
}
