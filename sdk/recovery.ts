import type { RestoreReply, VerbReply } from './branch.ts'
import type { BranchState } from './branch-state.ts'
import { type Evicted, evictActionResults, evictEntries } from './engine/evict.ts'
import type { FoldRecord } from './engine/journal.ts'
import { keptEntries } from './engine/keep.ts'
import type { Line } from './engine/record.ts'
import { foldMembers, restoreEntries } from './engine/recover.ts'
import type { EventBody } from './events.ts'
import { contentTokens, type LineSize, sizeOver } from './line-size.ts'
import type { Session } from './session.ts'
import { foldRows } from './storing.ts'

export interface RecoveryContext {
  readonly session: Session
  readonly emit: (event: EventBody) => void
  /**
   * The model itself asks, in an answer that follows all that the request held; then even the newest results may
   * leave. For anybody else they stay until something follows them.
   */
  readonly byModel: boolean
}

/**
 * Puts entries back where the next request still fits with them, projected as it would be sent; says why not
 * otherwise (R224, R225, R227).
 */
export async function bringBack(
  state: BranchState,
  wanted: readonly number[],
  { session, emit }: RecoveryContext,
): Promise<RestoreReply> {
  const { line } = state.current
  const restored = restoreEntries(line, wanted)
  if (restored.type === 'nothing') return { success: false, reason: restored.reason }
  const size = await sizeOver(session, state, restored.line)
  const refused = size ? size.refusal !== null && notAdmitted(size) : await unseen(state, session)
  if (refused) return { success: false, reason: refused }
  await changeView(state, restored.line, session)
  emit({ type: 'entries-restored', lineId: line.id, indexes: restored.indexes })
  return { success: true, restored: restored.indexes, estimate: size?.estimate ?? null }
}

/**
 * After a reload nobody knows yet what stands beside the messages. Under a ceiling the answer is no: a click would
 * else have the next request folded at other places, or refused, with nothing that led there in sight.
 */
async function unseen(state: BranchState, session: Session): Promise<string | null> {
  if ((await session.storedCeiling(state)) === null) return null
  return 'no request has been seen since the branch was opened, so nobody knows whether it would fit; prepare one before restore, or read it with read_result'
}

function notAdmitted({ refusal, estimate, ceiling }: LineSize): string {
  const why =
    refusal === 'result_over_bound'
      ? 'with it the next request would hold a result that cannot be shortened to toolResultMaxChars'
      : `with it the next request would have about ${Math.ceil(estimate)} tokens, over its ceiling of ${ceiling}`
  return `${why}; read it in ranges with read_result instead`
}

/** Brings back what one fold took out, and the originals of what it shortened. */
export async function bringBackFold(
  state: BranchState,
  foldId: string,
  context: RecoveryContext,
): Promise<RestoreReply> {
  const members = foldMembers(state.current.line, foldId)
  if (members === null) return { success: false, reason: 'there is no fold of that id on this line' }
  return bringBack(state, members, context)
}

/** Takes a range out of the view, in whole units (R67, R100). */
export function evictRange(
  state: BranchState,
  { start, end }: { readonly start: number; readonly end: number },
  context: RecoveryContext,
): Promise<VerbReply> {
  const { line } = state.current
  const inRange = (index: number): boolean => index >= start && index < end
  return leave(state, evictEntries(line, inRange, stayingEntries(line, context)), context)
}

/** Takes the calls and results of all but the newest rounds out of the view. */
export function evictOldResults(
  state: BranchState,
  rounds: number,
  context: RecoveryContext,
): Promise<VerbReply> {
  const { line } = state.current
  return leave(state, evictActionResults(line, { rounds, keep: stayingEntries(line, context) }), context)
}

/**
 * What a verb leaves where it is. The protected first round may go: its mark then moves to what is left (R284).
 */
export function stayingEntries(
  line: Line,
  { session, byModel }: Pick<RecoveryContext, 'session' | 'byModel'>,
): ReadonlySet<number> {
  const kept = keptEntries(line, { keepsTurnHead: session.keepsTurnHead, placesMarks: false })
  if (byModel) return kept
  const answer = line.view.findLastIndex((index) => line.record[index]?.kind === 'answer')
  return new Set([...kept, ...line.view.slice(answer + 1)])
}

async function leave(
  state: BranchState,
  evicted: Evicted,
  { session, emit }: RecoveryContext,
): Promise<VerbReply> {
  if (evicted.type === 'nothing') return { success: false, reason: evicted.reason }
  const { line } = state.current
  const { indexes } = evicted
  const tokensFreed = contentTokens(await sizeOver(session, state, line), indexes)
  await changeView(state, evicted.line, session)
  emit({ type: 'entries-evicted', lineId: line.id, indexes })
  return { success: true, indexes, tokensFreed }
}

/** Stores another view. What was refused before it is another request now, so a refusal of the turn ends. */
export async function changeView(
  state: BranchState,
  line: Line,
  session: Session,
  folds: readonly FoldRecord[] = [],
): Promise<void> {
  endRefusal(state, line)
  session.viewChanged()
  const journal = foldRows(folds)
  await state.commit({ lineIds: [line.id], bodies: [], journal, durability: 'strict' })
}

/** Puts a line without the refusal of its turn; how many resumptions were taken stays (R60). */
export function endRefusal(state: BranchState, line: Line): void {
  const turn = state.line(line.id)?.turn
  if (!turn) state.put(line)
  else {
    const { refusal: _, ...rest } = turn
    state.put(line, { turn: rest })
  }
}
