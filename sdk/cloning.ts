import type { BranchState } from './branch-state.ts'
import type { ContextPolicy } from './engine/policy.ts'
import type { BranchChange, BranchRow } from './ports.ts'
import { entryRows, lineRow } from './stored-branch.ts'

/**
 * What a clone is stored as: the current line under another branch, with the same indexes, so that whatever names
 * an entry names the same one there (R75). It has no journal, no parent, no anchor and no refusal of its own yet:
 * its first request is measured for itself (R291). Bodies are shared with the source, by their hash.
 */
export function cloneChange(
  state: BranchState,
  clone: { readonly id: string; readonly policy: ContextPolicy; readonly at: number },
): BranchChange {
  const { id, policy, at } = clone
  const { parent: _, ...own } = state.current.line
  const line = { ...own, id: state.newId() }
  const entries = entryRows(id, line, 0)
  const branch: BranchRow = {
    ...state.row,
    id,
    createdAt: at,
    updatedAt: at,
    lineId: line.id,
    policy: { ...policy },
    entryCount: entries.length,
    sequence: 0,
  }
  return {
    branch,
    lines: [lineRow(id, { line, anchor: null, turn: null, updatedAt: at })],
    entries,
    bodies: state.unsavedBodies(entries.flatMap(({ source }) => source?.hash ?? [])),
    journal: [],
    durability: 'strict',
  }
}
