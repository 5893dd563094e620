import type { BranchState } from './branch-state.ts'

/** Names that are kept: a provider holds a response for minutes, and the newest is continued. */
const KEPT_NAMES = 20

/** Tokens that were reported for what the provider holds under a name; null where nothing is on record. */
export function reportedFor(state: BranchState, name: string): number | null {
  const { responses = {} } = state.row
  return Object.hasOwn(responses, name) ? (responses[name] ?? null) : null
}

/** Keeps what was reported for a name; the oldest name goes. */
export function remember(state: BranchState, name: string, tokens: number): void {
  const { [name]: _, ...others } = state.row.responses ?? {}
  const kept = Object.entries(others).slice(1 - KEPT_NAMES)
  state.setRow({ responses: Object.fromEntries([...kept, [name, tokens]]) })
}
