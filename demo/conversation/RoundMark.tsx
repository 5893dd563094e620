import type { ContextDecision } from '../../sdk/index.ts'
import type { RoundOutcome } from '../player/play-round.ts'

/** The line between one round and the next. */
export function RoundMark({ outcome: { round, result } }: { readonly outcome: RoundOutcome }) {
  if (result.type === 'refused')
    return (
      <li className="round" data-action="refuse">
        <b>Round {round + 1} was refused.</b> {result.problem.message} <code>{result.problem.code}</code>
      </li>
    )
  const { decision } = result
  return (
    <li className="round" data-action={decision.action}>
      Round {round + 1} {sentenceOf(decision)}
    </li>
  )
}

function sentenceOf({ folded, before, after, ceiling }: ContextDecision): string {
  const size = ceiling === null ? tokens(after) : `${tokens(after)} of ${tokens(ceiling)}`
  if (folded.length === 0) return `sent: ${size} tokens`
  return `folded ${folded.length} entries: ${tokens(before)} → ${size} tokens`
}

/** Estimates may be fractions; rounded up, as the SDK's own messages do. */
function tokens(count: number): string {
  return Math.ceil(count).toLocaleString('en-US')
}
