import type { BranchState } from './branch-state.ts'
import { tellFolds } from './decided.ts'
import type { DecidedRequest } from './engine/decide.ts'
import type { EventBody } from './events.ts'
import { foldRows } from './storing.ts'

/**
 * Keeps and tells what was tried for a request and came to nothing, so that it stays as it was. What was written for it
 * is in no record (R298).
 */
export async function recordTried(
  state: BranchState,
  tried: {
    readonly decided: DecidedRequest
    readonly lineId: string
    readonly requestId: string
    readonly emit: (event: EventBody) => void
  },
): Promise<void> {
  const { decided, lineId, requestId, emit } = tried
  const folds = decided.folds.map(({ noteIndex: _, ...fold }) => fold)
  await state.commit({ lineIds: [], bodies: [], journal: foldRows(folds), durability: 'relaxed' })
  tellFolds(folds, tried)
  for (const warning of decided.facts.warnings) emit({ type: 'warning', lineId, requestId, warning })
}
