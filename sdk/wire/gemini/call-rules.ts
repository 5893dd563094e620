import type { LintFault } from '../../engine/format.ts'
import type { JsonObject } from '../../engine/json.ts'
import { callIn, callsOf, contentParts, isModel, responsesOf } from './parts.ts'
import { settingOf } from './read.ts'

/**
 * Calls and results: a content with calls comes right after one of the user, and right before the one content
 * that holds as many results as it has calls.
 */
export function lintCalls(request: JsonObject, contents: readonly JsonObject[]): readonly LintFault[] {
  // What the cache holds is out of sight, and the first content goes on with it.
  const firstInSight = settingOf(request, 'cachedContent') === undefined ? 0 : 1
  return contents.flatMap((content, position) => {
    const path = `contents[${position}]`
    const before = contents[position - 1]
    const isSeen = position >= firstInSight
    if (isModel(content))
      return [
        ...(isSeen ? lintPlace(content, before, path) : []),
        ...lintAnswered(content, contents[position + 1], path),
      ]
    return isSeen ? lintResults(content, before, path) : []
  })
}

function lintPlace(content: JsonObject, before: JsonObject | undefined, path: string): readonly LintFault[] {
  if (callsOf(content).length === 0 || (before !== undefined && !isModel(before))) return []
  return [{ rule: 'call_misplaced', path, message: 'a content with calls must follow one of role "user"' }]
}

function lintAnswered(content: JsonObject, next: JsonObject | undefined, path: string): readonly LintFault[] {
  const first = contentParts(content).findIndex((part) => callIn(part) !== null)
  if (first < 0 || (next !== undefined && responsesOf(next).length > 0)) return []
  return [
    {
      rule: 'call_without_result',
      path: `${path}.parts[${first}]`,
      message: 'the next content must hold a functionResponse for every functionCall of this one',
    },
  ]
}

function lintResults(
  content: JsonObject,
  before: JsonObject | undefined,
  path: string,
): readonly LintFault[] {
  const results = responsesOf(content).length
  const calls = before === undefined ? 0 : callsOf(before).length
  if (results === 0 || results === calls) return []
  return calls === 0
    ? [
        {
          rule: 'result_without_call',
          path,
          message: 'the content before must hold the functionCall parts that these results answer',
        },
      ]
    : [
        {
          rule: 'result_count',
          path,
          message: `must hold as many functionResponse parts as the content before has calls: ${calls}, not ${results}`,
        },
      ]
}
