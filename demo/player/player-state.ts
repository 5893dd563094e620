import type { Branch, ContextPolicy, Transcript } from '../../sdk/index.ts'
import type { RoundOutcome } from './play-round.ts'
import type { Problem } from './problem.ts'

/** The long work that goes on now; there is at most one. */
export type Activity =
  | { readonly type: 'idle' }
  | { readonly type: 'reading'; readonly name: string; readonly loaded: number; readonly total: number }
  | { readonly type: 'opening'; readonly name: string }
  /** A round is being measured and handed over, or the pause before the next one runs. */
  | { readonly type: 'playing'; readonly measuring: boolean }

export interface OpenConversation {
  /** Counts up with every opening, of the same branch too. */
  readonly visit: number
  readonly title: string
  readonly branch: Branch
  /** Null for a branch that was found again without the text it came from. */
  readonly transcript: Transcript | null
}

export interface PlayerState {
  readonly activity: Activity
  readonly conversation: OpenConversation | null
  /** Rounds played, and so the position of the next one. */
  readonly position: number
  /** Of the rounds played since the page was opened. */
  readonly outcomes: readonly RoundOutcome[]
  /** Position among the paces. */
  readonly pace: number
  readonly policy: ContextPolicy
  /** Why the settings last asked for are not in force. */
  readonly policyProblem: Problem | null
  readonly problems: readonly Problem[]
  /** Latest event worth saying aloud. */
  readonly announcement: string
}

export function roundsOf({ conversation }: PlayerState): number {
  return conversation?.transcript?.rounds.length ?? 0
}

export function isFinished(state: PlayerState): boolean {
  return roundsOf(state) > 0 && state.position >= roundsOf(state)
}
