import type { LintFault } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { lintCacheMarks } from './mark-rules.ts'
import { placedBlocks } from './turns.ts'

/** What may stand in the content of a message, and how often. */
export function lintContent(request: JsonObject, messages: readonly JsonObject[]): readonly LintFault[] {
  return [
    ...messages.flatMap((message, position) =>
      lintMessage(message, `messages[${position}]`, position === messages.length - 1),
    ),
    ...lintSystemTexts(request.system),
    ...lintCacheMarks(request),
  ]
}

function lintMessage(message: JsonObject, path: string, isLast: boolean): readonly LintFault[] {
  const isEmpty = message.content === '' || (Array.isArray(message.content) && message.content.length === 0)
  if (isEmpty)
    return isLast && message.role === 'assistant'
      ? []
      : [{ rule: 'empty_content', path: `${path}.content`, message: 'must not be empty' }]
  return placedBlocks(message, path).flatMap(({ block, path: blockPath }) => [
    ...lintText(block, blockPath),
    ...lintBlockRole(block, blockPath, message.role),
  ])
}

function lintSystemTexts(system: JsonValue | undefined): readonly LintFault[] {
  if (!Array.isArray(system)) return []
  return system.flatMap((block, position) => (isObject(block) ? lintText(block, `system[${position}]`) : []))
}

function lintText(block: JsonObject, path: string): readonly LintFault[] {
  return block.type === 'text' && typeof block.text === 'string' && block.text.trim() === ''
    ? [{ rule: 'empty_text', path, message: 'a text must hold more than white space' }]
    : []
}

/** Roles for which a kind of block is made; a kind that nobody knows may stand anywhere. */
const roleOfBlock: ReadonlyMap<JsonValue | undefined, string> = new Map([
  ['tool_use', 'assistant'],
  ['server_tool_use', 'assistant'],
  ['thinking', 'assistant'],
  ['redacted_thinking', 'assistant'],
  ['tool_result', 'user'],
])

const systemBlocks: ReadonlySet<JsonValue | undefined> = new Set(['text', 'tool_addition', 'tool_removal'])

function lintBlockRole(block: JsonObject, path: string, role: JsonValue | undefined): readonly LintFault[] {
  if (role === 'system' && !systemBlocks.has(block.type))
    return [
      { rule: 'system_block', path, message: 'a system message may hold text and changes of tools only' },
    ]
  const needed = roleOfBlock.get(block.type)
  return needed === undefined || needed === role
    ? []
    : [{ rule: 'block_in_wrong_role', path, message: `may stand in a message of role "${needed}" only` }]
}
