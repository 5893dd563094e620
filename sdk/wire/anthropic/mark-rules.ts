import type { LintFault } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { contentBlocks } from './entries.ts'
import { cacheMarks, deepestMark, lifetimeOf, mayHoldMark } from './marks.ts'
import { isThinking } from './reasoning.ts'

interface PlacedMark {
  readonly block: JsonObject
  readonly path: string
}

/** How many blocks may be marked, which, and in which order of lifetimes. */
export function lintCacheMarks(request: JsonObject): readonly LintFault[] {
  const marks = placedMarks(request)
  return [...lintNumber(marks), ...lintOrder(marks), ...marks.flatMap(lintBlock)]
}

function lintNumber(marks: readonly PlacedMark[]): readonly LintFault[] {
  const first = marks[cacheMarks.limit]
  if (first === undefined) return []
  const message = `at most ${cacheMarks.limit} blocks may be marked, ${marks.length} are`
  return [{ rule: 'too_many_cache_marks', path: first.path, message }]
}

function lintOrder(marks: readonly PlacedMark[]): readonly LintFault[] {
  const lifetimes = marks.map(({ block }) =>
    isObject(block.cache_control) ? lifetimeOf(block.cache_control) : '5m',
  )
  const short = lifetimes.indexOf('5m')
  const late = marks.find((_, position) => position > short && short >= 0 && lifetimes[position] === '1h')
  if (late === undefined) return []
  return [
    {
      rule: 'cache_mark_order',
      path: late.path,
      message: 'a mark of one hour must not come after a shorter one',
    },
  ]
}

function lintBlock({ block, path }: PlacedMark): readonly LintFault[] {
  if (!isThinking(block) && (block.type !== 'text' || mayHoldMark(block))) return []
  return [{ rule: 'cache_mark_on_block', path, message: 'thinking and empty texts must not be marked' }]
}

/** All marks in the order of the request's own prefix: tools, system, messages. */
function placedMarks(request: JsonObject): readonly PlacedMark[] {
  const messages = Array.isArray(request.messages) ? request.messages : []
  return [
    ...marksIn(request.tools, 'tools'),
    ...marksIn(request.system, 'system'),
    ...messages.flatMap((message, position) =>
      marksIn(contentBlocks(message), `messages[${position}].content`),
    ),
    ...(isObject(request.cache_control) ? [{ block: request, path: 'cache_control' }] : []),
  ]
}

function marksIn(list: JsonValue | undefined, path: string, depth = 1): readonly PlacedMark[] {
  if (!Array.isArray(list)) return []
  return list.flatMap((block, position) => {
    if (!isObject(block)) return []
    const blockPath = `${path}[${position}]`
    const inner = depth < deepestMark ? marksIn(block.content, `${blockPath}.content`, depth + 1) : []
    return isObject(block.cache_control) ? [...inner, { block, path: blockPath }] : inner
  })
}
