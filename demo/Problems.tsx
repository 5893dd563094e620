import type { Problem } from './player/problem.ts'

export interface ProblemsProps {
  readonly problems: readonly Problem[]
  readonly onDismiss: (problem: Problem) => void
}

/** What went wrong, in the SDK's own sentences. */
export function Problems({ problems, onDismiss }: ProblemsProps) {
  if (problems.length === 0) return null
  return (
    <ul className="problems" aria-label="Problems">
      {problems.map((problem) => (
        <li key={`${problem.code} ${problem.message}`} data-type={problem.type}>
          <span>
            {problem.message} <code>{problem.code}</code>
          </span>
          <button type="button" onClick={() => onDismiss(problem)}>
            Dismiss
          </button>
        </li>
      ))}
    </ul>
  )
}
