import type { BodyRow, BranchChange, BranchRow, EntryRow, JournalRow, LineRow } from '../ports.ts'

/** Small sound rows to fill a store with; every one takes what a test wants to be different. */

export function branchRow(id: string, different: Partial<BranchRow> = {}): BranchRow {
  return {
    id,
    createdAt: 1_000,
    updatedAt: 2_000,
    lineId: 'main',
    policy: { maxInputTokens: 8_000 },
    entryCount: 0,
    bytes: 0,
    sequence: 0,
    scales: {},
    ...different,
  }
}

export function lineRow(branchId: string, different: Partial<LineRow> = {}): LineRow {
  return {
    branchId,
    lineId: 'main',
    view: [],
    delivered: [],
    carried: [],
    window: { from: 0, to: 0 },
    updatedAt: 2_000,
    ...different,
  }
}

/** An instruction; it has no body unless `source` names one. */
export function entryRow(branchId: string, index: number, different: Partial<EntryRow> = {}): EntryRow {
  return {
    branchId,
    lineId: 'main',
    index,
    kind: 'instruction',
    key: `key-${index}`,
    round: -1,
    chars: 5,
    ...different,
  }
}

/** An entry whose message is the body of that name. */
export function entryOf(branchId: string, index: number, name: string): EntryRow {
  return entryRow(branchId, index, { source: { hash: hashOf(name), first: index, draft: 0, of: 1 } })
}

export function bodyRow(name: string, message: unknown = { role: 'user', content: name }): BodyRow {
  return { hash: hashOf(name), json: JSON.stringify(message) }
}

export function hashOf(name: string): string {
  return `hash of ${name}`
}

export function journalRow(
  branchId: string,
  sequence: number,
  requestId = `request-${sequence}`,
): JournalRow {
  return {
    branchId,
    sequence,
    type: 'settlement',
    record: { requestId, attempt: 1, outcome: 'completed', scale: 1 },
  }
}

export function changeOf(branchId: string, different: Partial<BranchChange> = {}): BranchChange {
  return {
    branch: branchRow(branchId),
    lines: [],
    entries: [],
    bodies: [],
    journal: [],
    durability: 'relaxed',
    ...different,
  }
}

/** A branch with one message: its row, its line, an entry with a body, and a journal row. */
export function smallBranch(branchId: string, name = branchId): BranchChange {
  return changeOf(branchId, {
    lines: [lineRow(branchId, { view: [0], window: { from: 0, to: 1 } })],
    entries: [entryOf(branchId, 0, name)],
    bodies: [bodyRow(name)],
    journal: [journalRow(branchId, 0)],
  })
}
