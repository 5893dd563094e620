import { claudeName } from './claude-name.ts'

/**
 * How long a model's thinking stays valid. `preserved`: a thinking block is bound to everything before it, so
 * after a change all of it must go. `manual`: it is bound to nothing, and that of the last turn must stay ahead
 * of its tool results.
 */
export type ThinkingMode = 'preserved' | 'manual'

/** Families with manual thinking, and the first version of each that no longer belongs here. */
const manualThinkingUntil: Readonly<Record<string, number>> = { opus: 5, sonnet: 5, haiku: 5 }

/** A model that nobody knows is treated as the newest kind: losing reasoning is better than a rejection. */
export function thinkingMode(model: string | undefined): ThinkingMode {
  const name = claudeName(model)
  if (name === null) return 'preserved'
  const until = manualThinkingUntil[name.family]
  return until !== undefined && name.major < until ? 'manual' : 'preserved'
}
