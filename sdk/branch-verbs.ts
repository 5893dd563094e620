import { badArgument, orReason, requireInteger, requireObject, requireRange } from './arguments.ts'
import type { ArmedReply, MessagePreviews, RestoreReply, ResultSlice, Status, VerbReply } from './branch.ts'
import { type CompactArguments, compactRange } from './compacting.ts'
import { type Line, standingOriginals } from './engine/record.ts'
import { scaleNumber } from './engine/scale.ts'
import { contentTokens, sizeOver } from './line-size.ts'
import { previewMessages, protectOriginal, readOriginal } from './reading.ts'
import { bringBack, bringBackFold, evictOldResults, evictRange, type RecoveryContext } from './recovery.ts'

/** Code points that a read without a limit returns. */
const DEFAULT_READ = 4000

/** Newest rounds whose results stay where nothing else is asked for. */
const DEFAULT_KEPT_ROUNDS = 2

/**
 * What a person does through the branch and a model through the context tool, on the line that the last prepare
 * chose. Arguments are checked here, whoever gives them: reading rejects with `invalid_argument`, and a verb that
 * changes the view answers `success: false` with a reason.
 */
export interface BranchVerbs {
  status(): Promise<Status>
  getMessages(given: unknown): Promise<MessagePreviews>
  readResult(given: unknown): Promise<ResultSlice>
  restore(given: unknown): Promise<RestoreReply>
  restoreFold(foldId: unknown): Promise<RestoreReply>
  evict(given: unknown): Promise<VerbReply>
  evictActionResults(given: unknown): Promise<VerbReply>
  compact(given: unknown): Promise<VerbReply | ArmedReply>
}

export function branchVerbs(context: RecoveryContext & { readonly branchId: string }): BranchVerbs {
  const { session, branchId, byModel } = context
  return {
    status: () =>
      session.step(async (state) => {
        const { line } = state.current
        const size = await sizeOver(session, state, line)
        return {
          branchId,
          lineId: line.id,
          entries: line.record.length,
          inView: line.view.length,
          folded: countFolded(line),
          ceiling: size?.ceiling ?? null,
          scale: scaleNumber(state.scale(state.row.model ?? '')),
          lastEstimate: size?.estimate ?? null,
          contentTokens: contentTokens(size),
        }
      }),

    async getMessages(given) {
      const asked = requirePreviews(given)
      return session.step((state) => previewMessages(state, asked, session))
    },

    async readResult(given) {
      const asked = requireReading(given)
      return session.step(async (state) => {
        const slice = await readOriginal(state, asked, context)
        // What a person looks at keeps nothing from being shortened: only the model's own request must hold it.
        if (byModel) await protectOriginal(state, asked.index)
        return slice
      })
    },

    restore: (given) =>
      orReason(async () => {
        const { start, end } = requireRange(given)
        return session.step((state) => {
          const wanted = state.current.line.record.slice(start, end).map((entry) => entry.index)
          return bringBack(state, wanted, context)
        })
      }),

    restoreFold: (foldId) =>
      orReason(async () => {
        if (typeof foldId !== 'string') throw badArgument('foldId', 'the id of a fold record', foldId)
        return session.step((state) => bringBackFold(state, foldId, context))
      }),

    evict: (given) =>
      orReason(async () => {
        const range = requireRange(given)
        return session.step((state) => evictRange(state, range, context))
      }),

    evictActionResults: (given) =>
      orReason(async () => {
        const { keep } = requireObject(given ?? {}, '{ keep? }')
        const rounds = requireInteger('keep', keep, { least: 0, fallback: DEFAULT_KEPT_ROUNDS })
        return session.step((state) => evictOldResults(state, rounds, context))
      }),

    compact: (given) =>
      orReason(async () => {
        const asked = requireCompact(given)
        return session.step((state) => compactRange(state, asked, context))
      }),
  }
}

function requirePreviews(given: unknown): Parameters<typeof previewMessages>[1] {
  const { scope = 'active', start, end } = requireObject(given ?? {}, '{ scope?, start?, end? }')
  if (scope !== 'active' && scope !== 'all') throw badArgument('scope', '"active" or "all"', scope)
  return {
    scope,
    start: requireInteger('start', start, { least: 0, fallback: 0 }),
    end: end === undefined ? undefined : requireInteger('end', end, { least: 0 }),
  }
}

function requireReading(given: unknown): Parameters<typeof readOriginal>[1] {
  const { index, offset, limit } = requireObject(given, '{ index, offset?, limit? }')
  return {
    index: requireInteger('index', index, { least: 0 }),
    offset: requireInteger('offset', offset, { least: 0, fallback: 0 }),
    limit: requireInteger('limit', limit, { least: 1, fallback: DEFAULT_READ }),
  }
}

function requireCompact(given: unknown): CompactArguments {
  const { start, end, summary } = requireObject(given ?? {}, '{ start?, end?, summary? }')
  if (summary !== undefined && (typeof summary !== 'string' || summary.trim() === ''))
    throw badArgument('summary', 'a text that is not empty', summary)
  const from = requireInteger('start', start, { least: 0, fallback: 0 })
  const to = end === undefined ? undefined : requireInteger('end', end, { least: 0 })
  if (to !== undefined && to <= from) throw badArgument('end', `over start, which is ${from}`, to)
  return { start: from, end: to, summary: summary?.trim() }
}

/** What was shortened stands in the request, and is not counted. */
function countFolded(line: Line): number {
  const standing = standingOriginals(line)
  return line.record.filter(({ index, source, slot }) => source && !slot && !standing.has(index)).length
}
