import type { MessagePreview } from '../../sdk/index.ts'
import type { RoundOutcome } from '../player/play-round.ts'

export type ConversationRow =
  | { readonly type: 'message'; readonly message: MessagePreview }
  | { readonly type: 'round'; readonly outcome: RoundOutcome }

/** Messages in record order, each round's mark behind the last entry that its request brought. */
export function conversationRows(
  messages: readonly MessagePreview[],
  outcomes: readonly RoundOutcome[],
): readonly ConversationRow[] {
  const marks = new Map<number, RoundOutcome[]>()
  for (const outcome of outcomes) marks.set(outcome.entries, [...(marks.get(outcome.entries) ?? []), outcome])
  return messages.flatMap((message): ConversationRow[] => [
    { type: 'message', message },
    ...(marks.get(message.index + 1) ?? []).map((outcome) => ({ type: 'round' as const, outcome })),
  ])
}
