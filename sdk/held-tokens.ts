import type { BranchState } from './branch-state.ts'

/** Names that are kept: a provider holds a response for minutes, and the newest is continued. */
const KEPT_NAMES = 20

/** Tokens that were reported for what the provider holds under a name; null where nothing is on record. */
export function reportedFor(state: BranchState, name: string): number | null {
  return recorded(state.row.responses, name) ?? null
}

/** Counted tokens of the tools that a response was asked with. */
export function toolsFor(state: BranchState, name: string): number {
  return recorded(state.row.responseTools, name) ?? 0
}

/** Keeps what was reported for a name; the oldest name goes. */
export function remember(
  state: BranchState,
  name: string,
  { tokens, tools = 0 }: { readonly tokens: number; readonly tools?: number },
): void {
  const { [name]: _, ...others } = state.row.responses ?? {}
  const kept = [...Object.entries(others).slice(1 - KEPT_NAMES), [name, tokens] as const]
  const toolsOf = (id: string): number => (id === name ? tools : toolsFor(state, id))
  state.setRow({
    responses: Object.fromEntries(kept),
    responseTools: Object.fromEntries(kept.flatMap(([id]) => (toolsOf(id) > 0 ? [[id, toolsOf(id)]] : []))),
  })
}

function recorded(figures: Readonly<Record<string, number>> | undefined, name: string): number | undefined {
  return figures && Object.hasOwn(figures, name) ? figures[name] : undefined
}
