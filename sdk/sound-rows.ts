import type { EntryRow, LineRow, StoredBranch } from './ports.ts'
import { isEntry, isLine, type RowsByIndex } from './row-checks.ts'

/**
 * What was stored, as far as it can be used: a disk may give back less than it was given, or something else. In the
 * place of an entry that is no entry stands one that nothing can be made of, so that every other one keeps its index;
 * no view holds it. A line that is no line is one that shows all that it has. Nothing of this is ever stored.
 */
export async function soundRows(stored: StoredBranch): Promise<StoredBranch> {
  const { branch, lines, entries } = stored
  const own = new Map<string, Map<number, EntryRow>>()
  for (const entry of entries) {
    const known = own.get(entry.lineId)
    if (known) known.set(entry.index, entry)
    else own.set(entry.lineId, new Map([[entry.index, entry]]))
  }
  const isSound =
    lines.some(({ lineId }) => lineId === branch.lineId) &&
    lines.every(isLine) &&
    entries.every(isEntry) &&
    lines.every((line) => isWhole(line, own.get(line.lineId)))
  if (isSound) return stored
  const { mendedRows } = await import('./mended-rows.ts')
  return mendedRows(stored, own)
}

/** From where it splits to its last entry there is one for each index. */
function isWhole({ parent }: LineRow, own: RowsByIndex | undefined): boolean {
  if (own === undefined) return true
  const start = parent?.index ?? 0
  return Math.max(...own.keys()) - start + 1 === own.size
}
