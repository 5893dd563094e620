import { usePanel } from '../context.ts'
import { formatCount, formatTime } from '../format.ts'

/** Failures and warnings outside any one request, folded away until they are wanted. */
export function Problems() {
  const problems = usePanel((state) => state.record.problems)
  const newest = problems.at(-1)
  if (!newest) return null
  return (
    <details className="problems">
      <summary>
        {formatCount(problems.length, 'warning')}: {newest.message}
      </summary>
      <ul>
        {problems.toReversed().map((problem) => (
          <li key={`${problem.at} ${problem.code} ${problem.message}`}>
            <span className="quiet">{formatTime(problem.at)}</span> {problem.message}{' '}
            <span className="quiet">{problem.code}</span>
          </li>
        ))}
      </ul>
    </details>
  )
}
