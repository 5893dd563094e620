import type { LintFault } from '../../engine/format.ts'
import type { JsonObject, JsonValue } from '../../engine/json.ts'
import { malformed } from '../message-list.ts'
import { lintCalls } from './call-rules.ts'
import { contentParts } from './parts.ts'
import { checkRequest, settingOf } from './read.ts'
import { lintSignatures } from './signature-rules.ts'

/** What generateContent rejects with status 400, from its published rejections. */
export function lint(request: JsonObject): readonly LintFault[] {
  const list = checkRequest(request)
  if (list.type === 'fault') return [malformed(list.fault)]
  return [
    ...list.messages.flatMap(lintContent),
    ...lintCalls(request, list.messages),
    ...lintSignatures(request, list.messages),
    ...lintCachedContent(request),
  ]
}

const roles: ReadonlySet<JsonValue | undefined> = new Set(['user', 'model', 'function', undefined])

function lintContent(content: JsonObject, position: number): readonly LintFault[] {
  const path = `contents[${position}]`
  const faults: LintFault[] = []
  if (!roles.has(content.role))
    faults.push({ rule: 'unknown_role', path: `${path}.role`, message: 'no role of this format' })
  if (contentParts(content).length === 0)
    faults.push({ rule: 'empty_parts', path: `${path}.parts`, message: 'must hold at least one part' })
  return faults
}

const heldByCache = ['systemInstruction', 'tools', 'toolConfig'] as const

function lintCachedContent(request: JsonObject): readonly LintFault[] {
  if (settingOf(request, 'cachedContent') === undefined) return []
  return heldByCache.flatMap((name) =>
    settingOf(request, name) === undefined
      ? []
      : [
          {
            rule: 'set_beside_cache',
            path: name,
            message: 'must stand in the cached content it is used with',
          },
        ],
  )
}
