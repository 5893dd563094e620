import type { DogearEvent } from '../../sdk/index.ts'
import { fetchFrom, rehearsalProvider } from '../../sdk/testing.ts'
import { loadTokenizer } from '../../sdk/tokenizer.ts'

/**
 * What stands around the examples and not in an app. Their requests go to the provider where there is a key for it,
 * and else to one that is played in this process.
 */
export async function network(key: string | undefined): Promise<typeof fetch> {
  if (key) return fetch
  const { count } = await loadTokenizer()
  return fetchFrom(rehearsalProvider({ count }))
}

/** Prints a line for each request that is sent. */
export function printDecision(event: DogearEvent): void {
  if (event.type !== 'request-decided') return
  const { action, before, after, ceiling, folded } = event.decision
  const size = `${tokens.format(after).padStart(7)} of ${tokens.format(ceiling ?? 0)} tokens`
  console.log(
    action === 'fold' ? `${size}, folded ${folded.length} entries from ${tokens.format(before)}` : size,
  )
}

const tokens = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
