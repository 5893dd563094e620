import type { Branch } from './branch.ts'
import type { FoldRecord } from './engine/journal.ts'
import type { DogearEvent } from './events.ts'
import { liveFacts, useLiveFact } from './react-branch-fact.ts'

const landedFolds = liveFacts<readonly FoldRecord[]>({
  unknown: [],
  async read(branch) {
    const { folds } = await branch.journal()
    return folds.filter(({ outcome }) => outcome === 'landed').reverse()
  },
  hear: (event) => ({
    type: isFold(event) || event.type === 'changed-elsewhere' ? 'changed' : 'nothing',
  }),
  reuse(known, fresh) {
    const knownById = new Map(known.map((fold) => [fold.id, fold]))
    const folds = fresh.map((fold) => knownById.get(fold.id) ?? fold)
    const isSame = folds.length === known.length && folds.every((fold, position) => fold === known[position])
    return isSame ? known : folds
  },
})

/**
 * The folds that landed on a branch, newest first, those of earlier page loads too. A fold keeps its identity, and so
 * does the list until another one lands. Empty until the journal was read, without a branch, and on a server.
 */
export function useFolds(branch: Branch | null): readonly FoldRecord[] {
  return useLiveFact(landedFolds, branch)
}

function isFold(event: DogearEvent): boolean {
  return event.type === 'stage-applied' && event.fold.outcome === 'landed'
}
