import type { BranchStore } from '../../ports.ts'

/** All of a branch that a caller can see but its bodies. */
export async function everything(store: BranchStore, branchId: string) {
  return { branch: await store.load(branchId), journal: await store.journal(branchId) }
}
