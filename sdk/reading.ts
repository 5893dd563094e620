import { badArgument } from './arguments.ts'
import type { MessagePreviews, ResultSlice } from './branch.ts'
import type { BranchState } from './branch-state.ts'
import { isDamaged } from './damaged-entry.ts'
import type { KnownMessage } from './engine/intake.ts'
import { READ_LIMIT, readSlice } from './engine/read-slice.ts'
import { type Entry, originalOf } from './engine/record.ts'
import { DogearError } from './errors.ts'
import type { EventBody } from './events.ts'
import { previewer, readableText } from './message-previews.ts'
import type { Session } from './session.ts'

export interface ReadingContext {
  readonly session: Session
  readonly emit: (event: EventBody) => void
}

/** Lists what the current line holds, or only what of it is in the request. */
export async function previewMessages(
  state: BranchState,
  asked: { readonly scope: 'active' | 'all'; readonly start: number; readonly end: number | undefined },
  session: Session,
): Promise<MessagePreviews> {
  const { line } = state.current
  const { scope, start, end = line.record.length } = asked
  const indexes = scope === 'active' ? line.view : line.record.map((entry) => entry.index)
  const entries = indexes
    .filter((index) => index >= start && index < end)
    .flatMap((index) => line.record[index] ?? [])
  const messageOf = await messagesOf(state, entries, session)
  const preview = previewer(line)
  return { total: indexes.length, messages: entries.map((entry) => preview(entry, messageOf(entry))) }
}

/**
 * Characters of the stored original, whatever of it a request shows and whatever the app made of its list since
 * (R208, R209, R216). Runs no tool and changes no view (R211).
 */
export async function readOriginal(
  state: BranchState,
  asked: { readonly index: number; readonly offset: number; readonly limit: number },
  { session, emit }: ReadingContext,
): Promise<ResultSlice> {
  const { index, offset, limit } = asked
  const { line } = state.current
  const entry = originalOf(line.record, index)
  if (!entry) throw badArgument('index', `below ${line.record.length}, the number of entries`, index)
  const messageOf = await messagesOf(state, [entry], session)
  if (isDamaged(entry) || (entry.source && !messageOf(entry))) throw originalLost(entry.index)
  const bound = session.policy.toolResultMaxChars
  const applied = Math.min(limit, bound ?? limit)
  const slice = readSlice(readableText(line, entry, messageOf(entry)), { offset, limit: applied })
  const chars = (slice.nextOffset ?? slice.total) - Math.min(offset, slice.total)
  emit({ type: 'result-read', lineId: line.id, index: entry.index, offset, chars })
  return bound === undefined ? slice : { ...slice, limit: Math.min(applied, READ_LIMIT) }
}

function originalLost(index: number): DogearError {
  return new DogearError({
    code: 'body_missing',
    message: `the original of entry ${index} is not in the store, or cannot be read; verify() names all that is lost`,
    fields: { index },
  })
}

/** An original that the model has just read a range of is not clipped before its next request (R149). */
export async function protectOriginal(state: BranchState, index: number): Promise<void> {
  const { line } = state.current
  const original = originalOf(line.record, index)
  if (original === undefined) return
  state.put({
    ...line,
    recovered: new Set([...line.recovered, original.index]),
    // The next request carries it anew: an answer to the last one is no evidence for that.
    carried: line.carried.filter((carried) => carried !== original.index),
  })
  await state.commit({ lineIds: [line.id], bodies: [], journal: [], durability: 'relaxed' })
}

/** The message that each entry came in; for a copy, its original's. */
async function messagesOf(
  state: BranchState,
  entries: readonly Entry[],
  session: Session,
): Promise<(entry: Entry) => KnownMessage | undefined> {
  const { record } = state.current.line
  const hashOf = ({ index }: Entry): string | undefined => originalOf(record, index)?.source?.hash
  const wire = await session.wire(state)
  const hashes = [...new Set(entries.flatMap((entry) => hashOf(entry) ?? []))]
  const messages = wire ? await state.messages(hashes, wire) : []
  const byHash = new Map(messages.map((message) => [message.hash, message]))
  return (entry) => byHash.get(hashOf(entry) ?? '')
}
