import { serveCounts } from './worker-host.ts'

declare const self: DedicatedWorkerGlobalScope

serveCounts(self)
