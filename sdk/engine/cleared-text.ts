import type { ProjectionRules } from './projection.ts'
import { READ_LIMIT } from './read-slice.ts'

/**
 * Stands for a whole result that was cleared, and says how to get it (R335; rules.md 5). Every original is stored with
 * its branch, so that no tool has to be called again for one. `length`: code points of its readable text.
 */
export function clearedText(
  { index, length }: { readonly index: number; readonly length: number },
  { contextTool, maxChars = READ_LIMIT }: ProjectionRules,
): string {
  const cleared = `Older tool result cleared: ${length} characters`
  if (contextTool === null) return `[${cleared}, kept in this browser]`
  const limit = Math.min(maxChars, READ_LIMIT, length)
  return `[${cleared}. ${contextTool}(action="read_result", index=${index}, offset=0, limit=${limit})]`
}
