import { isObject } from './engine/json.ts'
import type { OverflowFacts } from './engine/overflow-facts.ts'

/** What an error says of the length of the request that it rejects; null: it says something else (R321, R322). */
export function classifyError(
  error: unknown,
  hint: { readonly status?: number; readonly provider?: string } = {},
): OverflowFacts | null {
  const { status = 400 } = hint
  const said = isObject(error) && isObject(error.error) ? error.error : error
  if (status !== 400 || !isObject(said) || said.code !== 'context_length_exceeded') return null
  return { kind: 'context', evidence: 'code:context_length_exceeded' }
}
