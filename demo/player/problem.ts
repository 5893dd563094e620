import { DogearError } from '../../sdk/index.ts'

/** What went wrong, in words for the person at the page. */
export interface Problem {
  readonly type: 'error' | 'warning'
  readonly code: string
  readonly message: string
  /** Where it is, for a setting: `policy.contextFoldTarget`. */
  readonly path?: string
}

/** The SDK's own sentence and code; for anything else, what the browser said. */
export function problemOf(error: unknown): Problem {
  if (DogearError.isInstance(error)) {
    const { code, message, fields } = error
    return { type: 'error', code, message, ...(typeof fields.path === 'string' && { path: fields.path }) }
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return { type: 'error', code: 'unexpected', message }
}

/** Adds what is not listed yet: a fault of the transcript comes back with every round. */
export function withProblem(problems: readonly Problem[], added: Problem): readonly Problem[] {
  const known = problems.some(({ code, message }) => code === added.code && message === added.message)
  return known ? problems : [...problems, added]
}
