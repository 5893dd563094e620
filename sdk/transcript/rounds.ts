import type { JsonObject } from '../engine/json.ts'

/** Lengths of the list, ascending, at which a request left. A list of system messages alone is no request. */
export function roundsOf(messages: readonly JsonObject[]): readonly number[] {
  const first = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer')
  if (first === -1) return []
  const rounds: number[] = []
  for (let length = first + 1; length <= messages.length; length++) {
    const next = messages[length]
    const answered =
      next === undefined ? messages[length - 1]?.role !== 'assistant' : next.role === 'assistant'
    if (answered) rounds.push(length)
  }
  return rounds
}
