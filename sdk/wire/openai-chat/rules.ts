import type { LintFault } from '../../engine/format.ts'
import type { JsonObject } from '../../engine/json.ts'

export function lint(_request: JsonObject): readonly LintFault[] {
  return []
}
