import type { CountBackend } from './count-backend.ts'
import type { GivenRanks } from './given-ranks.ts'
import { startWorker, type WorkerGiven } from './start-worker.ts'
import { WorkerBackend } from './worker-backend.ts'

/** A worker that has answered and waits for the ranks. */
export interface IdleWorker {
  /** Resolves once it counts. */
  begin(ranks: GivenRanks): Promise<CountBackend>
  terminate(): void
}

export async function startIdleWorker(given?: WorkerGiven): Promise<IdleWorker> {
  const worker = await startWorker(given)
  return {
    begin: (ranks) => WorkerBackend.start(worker, ranks),
    terminate: () => worker.terminate(),
  }
}
