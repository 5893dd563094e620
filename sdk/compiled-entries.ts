import type { CompiledEntry } from './branch.ts'
import type { DecidedRequest } from './engine/decide.ts'
import { type Entry, standsFor } from './engine/record.ts'
import { chronologyKey } from './engine/view.ts'

/** What stood in the request in send order, and what was left out where it would have stood. */
export function compiledEntries({
  line,
  size,
}: Pick<DecidedRequest, 'line' | 'size'>): readonly CompiledEntry[] {
  const { record, view } = line
  const standing = new Set(view.map((shown) => standsFor(record, shown)))
  const out = record.filter((entry) => !standing.has(entry.index) && !entry.note && !entry.copy)
  const entries: CompiledEntry[] = []
  let next = 0
  for (const shown of view) {
    const entry = record[shown]
    if (entry === undefined) continue
    const place = chronologyKey(entry) ?? shown
    for (let left = out[next]; left && left.index < place; left = out[++next]) entries.push(leftOut(left))
    const index = standsFor(record, shown)
    const tokens = size.entries.get(index) ?? 0
    if (entry.note) entries.push({ index, kind: entry.kind, state: 'note', tokens })
    else if (entry.copy)
      entries.push({
        index,
        kind: record[index]?.kind ?? entry.kind,
        state: 'clipped',
        tokens,
        kept: entry.chars,
      })
    else entries.push({ index, kind: entry.kind, state: 'verbatim', tokens })
  }
  return [...entries, ...out.slice(next).map(leftOut)]
}

function leftOut({ index, kind }: Entry): CompiledEntry {
  return { index, kind, state: 'out', tokens: 0 }
}
