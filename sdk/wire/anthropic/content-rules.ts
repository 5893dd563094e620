import type { LintFault } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { placedBlocks } from './turns.ts'

const mostCacheMarks = 4

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

function lintCacheMarks(request: JsonObject): readonly LintFault[] {
  const marked = cacheMarks(request)
  const first = marked[mostCacheMarks]
  if (first === undefined) return []
  const message = `at most ${mostCacheMarks} blocks may be marked, ${marked.length} are`
  return [{ rule: 'too_many_cache_marks', path: first, message }]
}

/** Paths of all cache marks, in the order of the request's own prefix: tools, system, messages. */
function cacheMarks(request: JsonObject): readonly string[] {
  const messages = Array.isArray(request.messages) ? request.messages : []
  return [
    ...marksIn(request.tools, 'tools'),
    ...marksIn(request.system, 'system'),
    ...messages.flatMap((message, position) =>
      isObject(message) ? marksIn(message.content, `messages[${position}].content`) : [],
    ),
    ...(isObject(request.cache_control) ? ['cache_control'] : []),
  ]
}

/** Content of a message, of a result in it, and of a document in that. */
const deepestMark = 4

function marksIn(list: JsonValue | undefined, path: string, depth = 0): readonly string[] {
  if (!Array.isArray(list) || depth === deepestMark) return []
  return list.flatMap((block, position) => {
    if (!isObject(block)) return []
    const blockPath = `${path}[${position}]`
    const own = isObject(block.cache_control) ? [blockPath] : []
    return [...own, ...marksIn(block.content, `${blockPath}.content`, depth + 1)]
  })
}
