import type { BranchRow } from '../ports.ts'

/** By `updatedAt`, the newest first; branches of one moment stand in the order of their ids. */
export function newestFirst(branches: readonly BranchRow[]): readonly BranchRow[] {
  return branches.toSorted((left, right) => right.updatedAt - left.updatedAt || (left.id < right.id ? -1 : 1))
}
