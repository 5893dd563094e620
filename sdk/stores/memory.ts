import type { BranchChange, BranchRow, BranchStore, EntryRow, JournalRow, LineRow } from '../ports.ts'
import { bodyMissing } from './failures.ts'
import { frozen } from './frozen.ts'
import { newestFirst } from './newest-first.ts'
import { assertFresh, assertUnchanged, entryKey, neededBodies, ownChange } from './own-change.ts'
import { parseBodies } from './parse-bodies.ts'

interface KeptBranch {
  row: BranchRow
  readonly lines: Map<string, LineRow>
  readonly entries: Map<string, EntryRow>
  readonly journal: Map<number, JournalRow>
  /** Hashes of the bodies that this branch needs. */
  readonly bodies: Set<string>
}

interface KeptBody {
  readonly json: string
  /** How many branches need it. */
  branches: number
}

/** Keeps branches for as long as the page lives. Behaves as `indexedDbStore()` does, without a disk. */
export function memoryStore(): BranchStore {
  const branches = new Map<string, KeptBranch>()
  const bodies = new Map<string, KeptBody>()

  function write(change: BranchChange): void {
    const branch = branches.get(change.branch.id) ?? emptyBranch(change.branch)
    branches.set(change.branch.id, branch)
    branch.row = change.branch
    for (const line of change.lines) branch.lines.set(line.lineId, line)
    for (const entry of change.entries) branch.entries.set(entryKey(entry), entry)
    for (const row of change.journal) branch.journal.set(row.sequence, row)
    for (const [hash, json] of neededBodies(change)) {
      if (branch.bodies.has(hash)) continue
      branch.bodies.add(hash)
      const body = bodies.get(hash)
      if (body) body.branches++
      else if (json !== undefined) bodies.set(hash, { json, branches: 1 })
    }
  }

  return {
    async branches() {
      return frozen(newestFirst([...branches.values()].map((branch) => branch.row)))
    },

    async row(branchId) {
      return branches.get(branchId)?.row ?? null
    },

    async load(branchId) {
      const branch = branches.get(branchId)
      if (!branch) return null
      return frozen({
        branch: branch.row,
        lines: [...branch.lines.values()].sort(byLine),
        entries: [...branch.entries.values()].sort(
          (left, right) => byLine(left, right) || left.index - right.index,
        ),
      })
    },

    async commit(...changes) {
      const own = changes.map(ownChange)
      // All of it is stored, or none: every check must stand before the first write.
      const brought = new Set<string>()
      for (const change of own) {
        const { branch: row, entries, journal } = change
        const branch = branches.get(row.id)
        assertFresh(branch?.row, change)
        for (const entry of entries) assertUnchanged(branch?.entries.get(entryKey(entry)) ?? entry, entry)
        for (const record of journal) assertUnchanged(branch?.journal.get(record.sequence) ?? record, record)
        for (const [hash, json] of neededBodies(change)) {
          if (json === undefined && !bodies.has(hash) && !brought.has(hash)) throw bodyMissing(hash)
          brought.add(hash)
        }
      }
      for (const change of own) write(change)
    },

    async bodies(hashes) {
      return parseBodies(
        hashes,
        hashes.map((hash) => bodies.get(hash)?.json),
      )
    },

    async journal(branchId) {
      const rows = branches.get(branchId)?.journal.values() ?? []
      return frozen([...rows].sort((left, right) => left.sequence - right.sequence))
    },

    async delete(branchId) {
      for (const hash of branches.get(branchId)?.bodies ?? []) {
        const body = bodies.get(hash)
        if (body && --body.branches === 0) bodies.delete(hash)
      }
      branches.delete(branchId)
    },

    // A body goes with the last branch that needs it.
    async collect() {
      return 0
    },

    async close() {},
  }
}

function emptyBranch(row: BranchRow): KeptBranch {
  return { row, lines: new Map(), entries: new Map(), journal: new Map(), bodies: new Set() }
}

function byLine(left: { readonly lineId: string }, right: { readonly lineId: string }): number {
  if (left.lineId === right.lineId) return 0
  return left.lineId < right.lineId ? -1 : 1
}
