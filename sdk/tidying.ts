import { DogearError } from './errors.ts'
import type { BranchRow, BranchStore } from './ports.ts'

export interface TidyOptions {
  /** Branches that were changed longer ago than so many milliseconds go. */
  readonly maxAgeMs?: number
  /** Then those that were changed longest ago, until the originals of all come to so many bytes at the most. */
  readonly maxBytes?: number
}

export interface Tidied {
  readonly deleted: readonly string[]
  /** Bodies that no branch referred to. */
  readonly collected: number
}

/** Deletes what is over the limits, and never a branch that is open, here or in another tab. */
export async function tidy(
  store: BranchStore,
  options: TidyOptions & { readonly isOpen: (id: string) => boolean; readonly now: number },
): Promise<Tidied> {
  const { isOpen } = options
  requireLimit('maxAgeMs', options.maxAgeMs)
  requireLimit('maxBytes', options.maxBytes)
  const deleted: string[] = []
  for (const row of dueRows(await store.branches(), options)) {
    const held = (await store.sharing?.held()) ?? new Set()
    if (isOpen(row.id) || held.has(row.id)) continue
    await store.delete(row.id)
    deleted.push(row.id)
  }
  return { deleted, collected: await store.collect() }
}

/** Those that were changed longest ago come first. */
function dueRows(
  rows: readonly BranchRow[],
  {
    maxAgeMs = Number.POSITIVE_INFINITY,
    maxBytes = Number.POSITIVE_INFINITY,
    now,
  }: TidyOptions & { now: number },
): readonly BranchRow[] {
  let bytes = rows.reduce((sum, row) => sum + row.bytes, 0)
  return rows.toReversed().filter((row) => {
    const isDue = now - row.updatedAt > maxAgeMs || bytes > maxBytes
    if (isDue) bytes -= row.bytes
    return isDue
  })
}

function requireLimit(name: keyof TidyOptions, limit: number | undefined): void {
  if (limit === undefined || (typeof limit === 'number' && limit >= 0)) return
  throw new DogearError({
    code: 'invalid_argument',
    message: `${name} must be a number that is not negative; nothing was deleted`,
    fields: { name },
  })
}
