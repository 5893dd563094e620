import { DogearError } from './errors.ts'
import { importFault } from './import-fault.ts'
import type { Unowned } from './portable-file.ts'
import type { BodyRow, BranchChange, BranchRow, EntryRow, JournalRow, LineRow } from './ports.ts'
import { requireStoredPolicy } from './require-policy.ts'

/** A branch as a file holds it: each row is one by itself, and what they say of each other is still to be checked. */
export interface ImportedBranch {
  readonly row: BranchRow
  readonly lines: Unowned<LineRow>[]
  readonly entries: Unowned<EntryRow>[]
  readonly journal: unknown[]
}

/** Throws `import_unreadable` for rows that do not belong together: nothing here may fail once they are stored. */
export function requireWholeBranch(branch: ImportedBranch, bodies: ReadonlyMap<string, string>): void {
  const { row, lines, entries } = branch
  requirePolicyOf(row)
  const byId = new Map(lines.map((line) => [line.lineId, line]))
  if (byId.size !== lines.length) throw importFault('lines with ids of their own', 'two of one id')
  if (!byId.has(row.lineId)) throw importFault('the current line among the lines', 'no such line')
  const own = indexesByLine(entries)
  const lengths = new Map(lines.map((line) => [line.lineId, recordLength(line, { byId, own })]))
  for (const line of lines) requireSoundLine(line, lengths)
  for (const entry of entries) requireSoundEntry(entry, { lengths, bodies })
  requireJournal(branch)
}

/** What is stored of it under an id that is free, and whatever revision it had. */
export function importedChange(
  { row, lines, entries, journal }: ImportedBranch,
  stored: { readonly id: string; readonly revision: string; readonly bodies: ReadonlyMap<string, string> },
): BranchChange {
  const { id: branchId, revision, bodies } = stored
  const hashes = new Set(entries.flatMap(({ source }) => source?.hash ?? []))
  return {
    branch: { ...row, id: branchId, revision },
    from: null,
    lines: lines.map((line) => ({ ...line, branchId })),
    entries: entries.map((entry) => ({ ...entry, branchId })),
    bodies: [...hashes].flatMap((hash): readonly BodyRow[] => {
      const json = bodies.get(hash)
      return json === undefined ? [] : [{ hash, json }]
    }),
    journal: (journal as readonly Unowned<JournalRow>[]).map(
      (record) => ({ ...record, branchId }) as JournalRow,
    ),
    durability: 'strict',
  }
}

function requirePolicyOf({ policy }: BranchRow): void {
  try {
    requireStoredPolicy(policy)
  } catch (error) {
    const expected = DogearError.isInstance(error) ? error.fields.expected : undefined
    throw importFault(`a policy that can be in force (${String(expected ?? 'an object')})`, 'another')
  }
}

function indexesByLine(entries: readonly Unowned<EntryRow>[]): ReadonlyMap<string, readonly number[]> {
  const indexes = new Map<string, number[]>()
  for (const { lineId, index } of entries.toSorted((a, b) => a.index - b.index)) {
    const known = indexes.get(lineId)
    if (known) known.push(index)
    else indexes.set(lineId, [index])
  }
  return indexes
}

/** Entries of a line, those that it has from its parents included. */
function recordLength(
  line: Unowned<LineRow>,
  branch: {
    readonly byId: ReadonlyMap<string, Unowned<LineRow>>
    /** Indexes of each line's own entries, ascending. */
    readonly own: ReadonlyMap<string, readonly number[]>
  },
): number {
  const seen = new Set<string>()
  for (
    let above: Unowned<LineRow> | undefined = line;
    above?.parent;
    above = branch.byId.get(above.parent.lineId)
  ) {
    if (seen.has(above.lineId))
      throw importFault('lines that split from others', 'lines that split from themselves')
    seen.add(above.lineId)
    if (!branch.byId.has(above.parent.lineId)) throw importFault('the parent of each line', 'none')
  }
  const start = line.parent?.index ?? 0
  const own = branch.own.get(line.lineId) ?? []
  if (own.some((index, place) => index !== start + place))
    throw importFault('each entry of a line once', 'gaps')
  return start + own.length
}

function requireSoundLine(line: Unowned<LineRow>, lengths: ReadonlyMap<string, number>): void {
  const {
    lineId,
    parent,
    view,
    delivered = [],
    carried,
    pinned = [],
    recovered = [],
    window,
    firstRound,
  } = line
  const length = lengths.get(lineId) ?? 0
  const named = [view, delivered, carried, pinned, recovered, firstRound?.members ?? []]
  if (named.some((indexes) => indexes.some((index) => index >= length)))
    throw importFault('lines that name entries that are there', 'others')
  if (new Set(view).size !== view.length) throw importFault('each entry once in a view', 'one twice')
  if (window.from > window.to || window.to > length) throw importFault('a window within its line', 'another')
  if (parent && parent.index > (lengths.get(parent.lineId) ?? 0))
    throw importFault('a line to split within its parent', 'behind it')
}

function requireSoundEntry(
  entry: Unowned<EntryRow>,
  {
    lengths,
    bodies,
  }: { readonly lengths: ReadonlyMap<string, number>; readonly bodies: ReadonlyMap<string, string> },
): void {
  const { lineId, index, source, copy, note } = entry
  const length = lengths.get(lineId)
  if (length === undefined) throw importFault('the line of each entry', 'none')
  if (source && !bodies.has(source.hash)) throw importFault('the body of each entry', 'none')
  if (source && (source.first > index || source.draft >= source.of))
    throw importFault('entries within their messages', 'others')
  if (copy && copy.original >= index) throw importFault('a copy behind its original', 'ahead of it')
  if (note?.members.some((member) => member >= index))
    throw importFault('a note behind what it stands for', 'ahead')
  if ((note !== undefined) !== (entry.kind === 'note') || (copy !== undefined) !== (entry.kind === 'copy'))
    throw importFault('notes and copies to say what of', 'others')
}

function requireJournal({ row, journal }: ImportedBranch): void {
  const sequences = (journal as readonly { readonly sequence: number }[]).map(({ sequence }) => sequence)
  if (new Set(sequences).size !== sequences.length || sequences.some((sequence) => sequence >= row.sequence))
    throw importFault('each record of the journal once, ahead of the next', 'others')
}
