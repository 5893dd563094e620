import type { StoredBranch } from './ports.ts'
import { isEntry, isLine } from './row-checks.ts'

/**
 * What was stored, as far as it can be used: a disk may give back less than it was given, or something else. In the
 * place of an entry that is no entry stands one that nothing can be made of, so that every other one keeps its index;
 * no view holds it. A line that is no line is one that shows all that it has. Nothing of this is ever stored.
 */
export async function soundRows(stored: StoredBranch): Promise<StoredBranch> {
  const { branch, lines, entries } = stored
  const isSound =
    lines.some(({ lineId }) => lineId === branch.lineId) &&
    lines.every(isLine) &&
    entries.every(isEntry) &&
    areWhole(stored)
  if (isSound) return stored
  const { mendedRows } = await import('./mended-rows.ts')
  return mendedRows(stored)
}

/** Whether each entry belongs to a line, and each line has its own one after the other from where it splits. */
function areWhole({ lines, entries }: StoredBranch): boolean {
  const next = new Map(lines.map(({ lineId, parent }) => [lineId, parent?.index ?? 0]))
  return entries.every(({ lineId, index }) => {
    const isNext = next.get(lineId) === index
    next.set(lineId, index + 1)
    return isNext
  })
}
