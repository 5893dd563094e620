import { type DogearErrorCode, StoreError } from '../errors.ts'
import type { BranchChange, EntryRow, JournalRow } from '../ports.ts'

const known: Readonly<Record<string, { readonly code: DogearErrorCode; readonly advice: string }>> = {
  QuotaExceededError: {
    code: 'store_full',
    advice: 'the disk or the quota of this site is full; free space or delete branches, then try again',
  },
  VersionError: {
    code: 'store_newer',
    advice:
      'a newer dogear wrote this database and nothing in it was touched; reload the page to get that version',
  },
  SecurityError: {
    code: 'store_unavailable',
    advice: 'the browser gives this page no storage (a sandbox, or blocked site data); use memoryStore()',
  },
}

const unknown = { code: 'store_failed', advice: 'nothing was changed; the cause says why' } as const

/** What went wrong below the store, as a `StoreError`; what is one already stays as it is. */
export function storeFailure(operation: string, cause: unknown): StoreError {
  if (cause instanceof StoreError) return cause
  const name = cause instanceof Error ? cause.name : typeof cause
  const { code, advice } = known[name] ?? unknown
  return new StoreError({ code, message: `${operation} failed with ${name}: ${advice}`, cause })
}

export function storageMissing(): StoreError {
  return new StoreError({
    code: 'store_unavailable',
    message: 'IndexedDB was expected in this environment and is not there; use memoryStore()',
  })
}

export function upgradeBlocked(database: string): StoreError {
  return new StoreError({
    code: 'store_blocked',
    message: `database ${database} waits to be upgraded while another tab holds an older version open; close or reload that tab, then try again`,
    fields: { database },
  })
}

export function bodyMissing(hash: string): StoreError {
  return new StoreError({
    code: 'body_missing',
    message: `body ${hash} was expected in the store and is not there; hand its message in again`,
    fields: { hash },
  })
}

/** Has no cause: a JSON parser's error quotes the text, which is conversation text. */
export function bodyDamaged(hash: string, characters: number): StoreError {
  return new StoreError({
    code: 'store_failed',
    message: `body ${hash} was expected to be JSON text and its ${characters} characters are not; the stored row is damaged`,
    fields: { hash, characters },
  })
}

export function rowConflict(row: EntryRow | JournalRow): StoreError {
  const { branchId } = row
  const place = 'lineId' in row ? { lineId: row.lineId, index: row.index } : { sequence: row.sequence }
  return new StoreError({
    code: 'store_conflict',
    message: `branch ${branchId} already holds other content at ${JSON.stringify(place)}, and what is recorded never changes; load the branch again and append after it`,
    fields: { branchId, ...place },
  })
}

export function staleChange({ branch, from }: BranchChange): StoreError {
  return new StoreError({
    code: 'store_stale',
    message: `branch ${branch.id} was changed by somebody else since it was read at revision ${JSON.stringify(from)}, so nothing was stored; read it again and make the change from there`,
    fields: { branchId: branch.id },
  })
}

export function foreignRow(branchId: string, actual: string): StoreError {
  return new StoreError({
    code: 'invalid_argument',
    message: `a change of branch ${branchId} was expected to hold that branch's rows and holds one of ${actual}; commit each branch by itself`,
    fields: { branchId, actual },
  })
}
