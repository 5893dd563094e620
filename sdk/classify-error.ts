import type { OverflowFacts } from './engine/overflow-facts.ts'
import { type ErrorStatement, errorStatements } from './wire/error-statements.ts'
import { overflowCodes } from './wire/overflow-codes.ts'
import { isLookAlike } from './wire/overflow-look-alikes.ts'
import { matchRow } from './wire/overflow-row.ts'
import { overflowRows } from './wire/overflow-rows.ts'

/** What is known of an error beside what it says itself. */
interface ErrorHint {
  /** Status of the response. */
  readonly status?: number
  /** Who sent it, as in `anthropic`; named in the facts, whoever else says the same. */
  readonly provider?: string
}

/**
 * What an error says of the length of the request that it rejects; null: it says something else (R321, R322). The
 * error is what a provider sent, parsed or as text, or what an SDK throws for it. Typed codes count before sentences,
 * and both only in what the provider says: never in a request that the error carries or repeats. Never throws.
 */
export function classifyError(error: unknown, hint: ErrorHint = {}): OverflowFacts | null {
  try {
    const statements = errorStatements(error, hint.status)
    if (statements.some(isLookAlike)) return null
    const said = statements.filter(mayBeForLength)
    const facts = typedFacts(said) ?? spokenFacts(said) ?? bareFacts(statements, hint)
    if (facts === null) return null
    return hint.provider === undefined ? facts : { ...facts, provider: hint.provider }
  } catch {
    // Whatever it is, it cannot be read.
    return null
  }
}

const lengthStatuses: readonly number[] = [400, 413, 422]

/**
 * By its statuses. A server's failure may stand around the rejection that it passes on, and some reject with 500; 200
 * is a stream's that failed later. Any other fault of the request is another fault, whatever is passed on with it.
 */
function mayBeForLength({ statuses }: ErrorStatement): boolean {
  const isOtherFault = statuses.some(
    (status) => status >= 400 && status < 500 && !lengthStatuses.includes(status),
  )
  return !isOtherFault && (statuses.at(-1) ?? 200) <= 500
}

function typedFacts(statements: readonly ErrorStatement[]): OverflowFacts | null {
  for (const { codes, field } of statements)
    for (const code of codes) {
      const kind = overflowCodes.get(code)
      if (kind === undefined) continue
      return { kind, ...typedNumbers(field), ...spokenFacts(statements), evidence: `code:${code}` }
    }
  return null
}

/** Only llama.cpp types its numbers as well. */
function typedNumbers(field: ErrorStatement['field']): Pick<OverflowFacts, 'limit' | 'got'> {
  const [limit, got] = [field('n_ctx'), field('n_prompt_tokens')]
  return {
    ...(isCount(limit) ? { limit } : {}),
    ...(isCount(got) ? { got } : {}),
  }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}

function spokenFacts(statements: readonly ErrorStatement[]): OverflowFacts | null {
  for (const { message } of statements)
    for (const row of overflowRows) {
      const facts = message === '' ? null : matchRow(row, message)
      if (facts !== null) return { ...facts, evidence: row.name }
    }
  return null
}

/** A status without a word: 413 says by itself that a body is too large, and one provider says nothing more. */
function bareFacts(statements: readonly ErrorStatement[], { provider }: ErrorHint): OverflowFacts | null {
  if (statements.some(({ message }) => message !== '' && message !== noBody)) return null
  const status = statements.at(-1)?.statuses.at(-1)
  if (provider === 'cerebras' && (status === 400 || status === 413))
    return { kind: 'context', evidence: `status:${status}` }
  return status === 413 ? { kind: 'request-bytes', evidence: 'status:413' } : null
}

/** In the words of SDKs. */
const noBody = 'status code (no body)'
