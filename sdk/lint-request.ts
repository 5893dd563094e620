import type { Format, LintFault } from './engine/format.ts'
import { isObject } from './engine/json.ts'
import { formats } from './wire/detect.ts'

/**
 * What the provider would reject in a request, from its published rejections, each with a path and the rule.
 * Empty for a sound request. Never throws: a request of another shape is a fault like any other.
 */
export function lintRequest(format: Format, request: unknown): readonly LintFault[] {
  const wire = formats.find((known) => known.format === format)
  if (!wire)
    return [{ rule: 'unknown_format', path: '', message: `there are no rules for the format "${format}"` }]
  if (!isObject(request))
    return [
      { rule: 'not_an_object', path: '', message: 'a request must be an object such as { model, messages }' },
    ]
  return wire.lint(request)
}
