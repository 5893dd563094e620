import type { Branch, ContextDecision, Transcript } from '../../sdk/index.ts'
import { type Problem, problemOf } from './problem.ts'

/** How one round of the transcript ended. */
export interface RoundOutcome {
  /** Position of the round among those of the transcript. */
  readonly round: number
  /** Entries of the record when it ended; the round's mark stands behind them. */
  readonly entries: number
  readonly result:
    | { readonly type: 'sent'; readonly decision: ContextDecision }
    | { readonly type: 'refused'; readonly problem: Problem }
  readonly warnings: readonly Problem[]
}

export interface PlayRoundOptions {
  readonly transcript: Transcript
  readonly round: number
  readonly signal: AbortSignal
}

/** Hands the request of one round to the branch. A refusal is an outcome; anything else that fails rejects. */
export async function playRound(branch: Branch, options: PlayRoundOptions): Promise<RoundOutcome> {
  const { round } = options
  const { result, warnings } = await send(branch, options)
  const { total } = await branch.getMessages({ scope: 'all', start: 0, end: 0 })
  return { round, entries: total, result, warnings }
}

async function send(
  branch: Branch,
  { transcript, round, signal }: PlayRoundOptions,
): Promise<Pick<RoundOutcome, 'result' | 'warnings'>> {
  const { request, messages, rounds, format } = transcript
  const body = { ...request, messages: messages.slice(0, rounds[round]) }
  try {
    const prepared = await branch.prepare(body, { format, signal })
    // A transcript does not say what the provider counted, and unknown is not zero.
    await prepared.settle({ usage: null })
    return {
      result: { type: 'sent', decision: prepared.decision },
      warnings: prepared.warnings.map(({ code, message }) => ({ type: 'warning', code, message })),
    }
  } catch (error) {
    const problem = problemOf(error)
    if (problem.code !== 'input_ceiling_exceeded') throw error
    return { result: { type: 'refused', problem }, warnings: [] }
  }
}
