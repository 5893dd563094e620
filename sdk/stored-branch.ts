import type { Anchor } from './engine/choose-method.ts'
import { deliveredByPosition } from './engine/delivery.ts'
import { storedFirstRound } from './engine/first-round.ts'
import type { Entry, Line } from './engine/record.ts'
import type { TurnState } from './engine/turn.ts'
import type { EntryRow, LineRow, StoredBranch } from './ports.ts'

/** A line with what the session keeps beside it. */
export interface SessionLine {
  readonly line: Line
  readonly anchor: Anchor | null
  readonly turn: TurnState | null
  readonly updatedAt: number
}

/** Lines as they were stored; a child takes the entries below its divergence from its parent. */
export function linesOf(stored: StoredBranch): ReadonlyMap<string, SessionLine> {
  const rows = new Map(stored.lines.map((row) => [row.lineId, row]))
  const own = new Map<string, Entry[]>()
  for (const { branchId: _, lineId, ...entry } of stored.entries) {
    const entries = own.get(lineId)
    if (entries) entries.push(entry)
    else own.set(lineId, [entry])
  }
  /** Each made once: a line has as many ancestors as answers were regenerated one after the other. */
  const records = new Map<string, readonly Entry[]>()
  const recordOf = (row: LineRow): readonly Entry[] => {
    const known = records.get(row.lineId)
    if (known) return known
    const parent = row.parent && rows.get(row.parent.lineId)
    const inherited = parent ? recordOf(parent).slice(0, row.parent?.index) : []
    const record = [...inherited, ...(own.get(row.lineId) ?? []).sort((a, b) => a.index - b.index)]
    records.set(row.lineId, record)
    return record
  }
  const lineOf = (row: LineRow): Line => {
    const record = recordOf(row)
    const firstRound = storedFirstRound(row.firstRound, record)
    return {
      id: row.lineId,
      ...(row.parent ? { parent: row.parent } : {}),
      record,
      view: row.view,
      delivered: row.delivered ? new Set(row.delivered) : deliveredByPosition(record),
      carried: row.carried,
      window: row.window,
      pinned: new Set(row.pinned),
      recovered: new Set(row.recovered),
      ...(firstRound ? { firstRound } : {}),
    }
  }
  return new Map(
    stored.lines.map((row) => [
      row.lineId,
      {
        line: lineOf(row),
        anchor: row.anchor ?? null,
        turn: row.turn ?? null,
        updatedAt: row.updatedAt,
      },
    ]),
  )
}

export function lineRow(branchId: string, { line, anchor, turn, updatedAt }: SessionLine): LineRow {
  return {
    branchId,
    lineId: line.id,
    ...(line.parent ? { parent: line.parent } : {}),
    view: line.view,
    delivered: [...line.delivered],
    carried: line.carried,
    window: line.window,
    ...(anchor ? { anchor } : {}),
    ...(line.pinned.size > 0 ? { pinned: [...line.pinned] } : {}),
    ...(line.recovered.size > 0 ? { recovered: [...line.recovered] } : {}),
    ...(line.firstRound ? { firstRound: line.firstRound } : {}),
    ...(turn ? { turn } : {}),
    updatedAt,
  }
}

/** A line's own entries that are not stored yet. */
export function entryRows(branchId: string, line: Line, storedEntries: number): readonly EntryRow[] {
  const from = Math.max(storedEntries, line.parent?.index ?? 0)
  return line.record.slice(from).map((entry) => ({ ...entry, branchId, lineId: line.id }))
}
