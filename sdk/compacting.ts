import type { ArmedReply, VerbReply } from './branch.ts'
import type { BranchState } from './branch-state.ts'
import { runCounted } from './counting.ts'
import { compactEntries } from './engine/compact.ts'
import { contentTokens, sizeOver } from './line-size.ts'
import { changeView, type RecoveryContext, stayingEntries } from './recovery.ts'

export interface CompactArguments {
  readonly start: number
  readonly end: number | undefined
  /** Absent: it is written by whoever writes summaries for the branch. */
  readonly summary: string | undefined
}

/** Replaces a range by one note; where a summary could not be written, the lists of the note stand alone (R157). */
export async function compactRange(
  state: BranchState,
  { start, end, summary }: CompactArguments,
  context: RecoveryContext,
): Promise<VerbReply | ArmedReply> {
  const { session, emit, byModel } = context
  const { line } = state.current
  const input = await session.currentInput(state, { line })
  if (input === null)
    return {
      success: false,
      reason: 'no request has been seen since the branch was opened; prepare one before compact',
    }
  if (summary === undefined && input.summaries === 'missing' && session.asksModel) {
    session.arm()
    return { success: true, armed: true }
  }
  if (summary === undefined && input.summaries !== 'available')
    return { success: false, reason: 'there is nobody to write a summary; hand one over with compact' }
  const size = await sizeOver(session, state, line)
  const compacted = await runCounted(
    (memory) =>
      compactEntries(
        { ...input, memory, exact: true },
        {
          start,
          end,
          keep: stayingEntries(line, context),
          foldId: state.newId(),
          summary:
            summary === undefined
              ? undefined
              : { type: 'written', text: summary, source: byModel ? 'model' : 'delegate', usage: null },
        },
      ),
    { ...session.counting(), memory: input.memory },
  )
  if (compacted.type === 'nothing') return { success: false, reason: compacted.reason }
  const { indexes, noteIndex } = compacted
  await changeView(state, compacted.line, session)
  emit({ type: 'entries-evicted', lineId: line.id, indexes, noteIndex })
  return { success: true, indexes, tokensFreed: contentTokens(size, indexes), noteIndex }
}
