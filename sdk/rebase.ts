import { utf8Bytes } from './engine/byte-bound.ts'
import { sortedJson } from './engine/json.ts'
import {
  type BranchChange,
  type BranchRow,
  type EntryRow,
  type JournalRow,
  type LineRow,
  type NewId,
  revisionOf,
  type StoredBranch,
} from './ports.ts'

export interface RebasedChange {
  readonly change: BranchChange
  /** New ids of the lines that became others, by what they were called. */
  readonly renamed: ReadonlyMap<string, string>
}

/**
 * What was to be stored of a branch, made from what somebody else has stored of it meanwhile. Nothing of either is
 * lost: where both appended to one line, what is ours becomes a line of its own that splits from theirs.
 */
export function rebase(unsaved: BranchChange, stored: StoredBranch, newId: NewId): RebasedChange {
  const entries = entriesToStore(unsaved, stored)
  const forks = forksOf(entries, stored, newId)
  const renamed = new Map([...forks].map(([lineId, fork]) => [lineId, fork.id]))
  const journal = journalToStore(unsaved, stored, renamed)
  return {
    renamed,
    change: {
      ...unsaved,
      from: revisionOf(stored.branch),
      branch: branchRow(unsaved, stored, { entries: entries.length, journal: journal.length, renamed }),
      lines: unsaved.lines.map((line) => lineToStore(line, stored, forks)),
      entries: entries.map((entry) => ({ ...entry, lineId: renamed.get(entry.lineId) ?? entry.lineId })),
      journal,
    },
  }
}

interface Fork {
  readonly id: string
  /** First record index that is ours. */
  readonly index: number
}

/** A commit may have been stored though its answer was lost. */
function entriesToStore(unsaved: BranchChange, stored: StoredBranch): readonly EntryRow[] {
  const known = new Map(stored.entries.map((entry) => [keyOf(entry), entry]))
  return unsaved.entries.filter((entry) => {
    const other = known.get(keyOf(entry))
    return other === undefined || sortedJson(other) !== sortedJson(entry)
  })
}

function keyOf({ lineId, index }: EntryRow): string {
  return `${index} ${lineId}`
}

/** Lines to which both appended. */
function forksOf(
  entries: readonly EntryRow[],
  { lines, entries: theirs }: StoredBranch,
  newId: NewId,
): ReadonlyMap<string, Fork> {
  const forks = new Map<string, Fork>()
  for (const { lineId } of lines) {
    const ours = entries.filter((entry) => entry.lineId === lineId)
    const index = ours.reduce((least, entry) => Math.min(least, entry.index), Number.POSITIVE_INFINITY)
    const isTaken = theirs.some((entry) => entry.lineId === lineId && entry.index >= index)
    if (isTaken) forks.set(lineId, { id: newId(), index })
  }
  return forks
}

function lineToStore(line: LineRow, { lines }: StoredBranch, forks: ReadonlyMap<string, Fork>): LineRow {
  const { parent } = line
  const fork = forks.get(line.lineId)
  if (fork) {
    // What was reported belongs to a request of the line that it was.
    const { anchor: _, ...own } = line
    return { ...own, lineId: fork.id, parent: { lineId: line.lineId, index: fork.index } }
  }
  const above = parent && forks.get(parent.lineId)
  const moved =
    parent && above && parent.index > above.index
      ? { ...line, parent: { lineId: above.id, index: parent.index } }
      : line
  const theirs = lines.find(({ lineId }) => lineId === line.lineId)
  // What was read stays read, whoever sent it.
  const delivered = [...new Set([...(theirs?.delivered ?? []), ...(moved.delivered ?? [])])]
  return moved.delivered ? { ...moved, delivered } : moved
}

function journalToStore(
  { journal }: BranchChange,
  { branch }: StoredBranch,
  renamed: ReadonlyMap<string, string>,
): readonly JournalRow[] {
  return journal.map((row, place): JournalRow => {
    const sequence = branch.sequence + place
    if (row.type !== 'decision') return { ...row, sequence }
    const { record } = row
    const lineId = renamed.get(record.lineId)
    return lineId === undefined
      ? { ...row, sequence }
      : { ...row, sequence, record: { ...record, lineId, parentLineId: record.lineId } }
  })
}

function branchRow(
  { branch: ours, bodies }: BranchChange,
  { branch: theirs }: StoredBranch,
  added: {
    readonly entries: number
    readonly journal: number
    readonly renamed: ReadonlyMap<string, string>
  },
): BranchRow {
  const bytes = bodies.reduce((sum, { json }) => sum + utf8Bytes(json), 0)
  return {
    ...ours,
    createdAt: theirs.createdAt,
    updatedAt: Math.max(ours.updatedAt, theirs.updatedAt),
    lineId: added.renamed.get(ours.lineId) ?? ours.lineId,
    entryCount: theirs.entryCount + added.entries,
    bytes: theirs.bytes + bytes,
    sequence: theirs.sequence + added.journal,
    scales: largerScales(ours.scales, theirs.scales),
    ...(ours.responses || theirs.responses ? { responses: { ...theirs.responses, ...ours.responses } } : {}),
    ...(ours.responseTools || theirs.responseTools
      ? { responseTools: { ...theirs.responseTools, ...ours.responseTools } }
      : {}),
  }
}

/** A scale only rises (R30). */
function largerScales(ours: BranchRow['scales'], theirs: BranchRow['scales']): BranchRow['scales'] {
  const merged = { ...ours }
  for (const [model, scale] of Object.entries(theirs)) {
    const own = Object.hasOwn(merged, model) ? merged[model] : undefined
    if (!own || scale.reported * own.counted > own.reported * scale.counted) merged[model] = scale
  }
  return merged
}
