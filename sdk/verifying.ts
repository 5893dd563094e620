import type { VerifyReport } from './branch.ts'
import type { BranchState } from './branch-state.ts'
import { isDamaged } from './damaged-entry.ts'
import { digestInPieces } from './digest-in-pieces.ts'
import { DogearError } from './errors.ts'
import type { PieceOptions } from './run-in-pieces.ts'

type BodyFault = 'missing' | 'altered'

/** Reads every original of the current line from the store, and not from memory, and takes its digest again. */
export async function verifyOriginals(state: BranchState, pieces: PieceOptions): Promise<VerifyReport> {
  const { record } = state.current.line
  const originals = record.flatMap(({ index, source }) => (source ? [{ index, hash: source.hash }] : []))
  const faults = new Map<string, BodyFault>()
  for (const hash of new Set(originals.map((original) => original.hash))) {
    const fault = await bodyFault(state, hash, pieces)
    if (fault) faults.set(hash, fault)
  }
  const having = (wanted: BodyFault): readonly number[] =>
    originals.filter(({ hash }) => faults.get(hash) === wanted).map(({ index }) => index)
  const damaged = record.filter(isDamaged).map(({ index }) => index)
  return {
    ok: faults.size === 0 && damaged.length === 0,
    entries: record.length,
    originals: originals.length,
    missing: having('missing'),
    altered: having('altered'),
    damaged,
  }
}

/** One at a time: a store names only the first body of several that it does not have. */
async function bodyFault(state: BranchState, hash: string, pieces: PieceOptions): Promise<BodyFault | null> {
  const json = await storedJson(state, hash)
  if (json === null) return 'missing'
  return (await digestInPieces(json, state.digest, pieces)) === hash ? null : 'altered'
}

/** Null where the body is not there or cannot be read; rejects where the store itself cannot be used. */
async function storedJson(state: BranchState, hash: string): Promise<string | null> {
  try {
    return await state.storedBody(hash)
  } catch (error) {
    if (DogearError.isInstance(error) && (error.code === 'body_missing' || error.code === 'store_failed'))
      return null
    throw error
  }
}
