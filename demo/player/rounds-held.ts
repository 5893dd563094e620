import type { Branch, Transcript } from '../../sdk/index.ts'

/**
 * Rounds of the transcript that the branch has been handed already. The record tells: it has one answer entry
 * for each of the model's messages that it holds.
 */
export async function roundsHeld(branch: Branch, { messages, rounds }: Transcript): Promise<number> {
  const record = await branch.getMessages({ scope: 'all' })
  if (record.total === 0) return 0
  const held = record.messages.filter(({ kind }) => kind === 'answer').length
  const answers = messages.flatMap(({ role }, position) => (role === 'assistant' ? [position] : []))
  const firstNotHeld = answers[held] ?? messages.length
  return rounds.filter((length) => length <= firstNotHeld).length
}
