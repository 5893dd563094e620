import type { Branch, FoldPreview } from './branch.ts'
import type { ContextDecision } from './engine/journal.ts'
import type { DogearEvent } from './events.ts'
import { liveFacts, useLiveFact } from './react-branch-fact.ts'

/** How full the context is, in the engine's own numbers: tokens of the next request as it would be sent now. */
export interface ContextMeter
  extends Pick<
    FoldPreview,
    'before' | 'after' | 'method' | 'ceiling' | 'line' | 'target' | 'action' | 'parts'
  > {
  /** `after` over the ceiling, so above 1 for a request that is refused; null without a ceiling. */
  readonly share: number | null
}

/** Events after which the next request may be another one. A request that is decided says itself what it is. */
const changesNext: ReadonlySet<DogearEvent['type']> = new Set([
  'policy-set',
  'stage-applied',
  'request-settled',
  'entries-restored',
  'entries-evicted',
  'changed-elsewhere',
])

const meters = liveFacts<ContextMeter | null>({
  unknown: null,
  async read(branch) {
    const preview = await branch.preview()
    return preview && meterOf(preview)
  },
  hear(event) {
    if (event.type === 'request-decided' && isOfConversation(event.decision))
      return { type: 'value', value: meterOf(event.decision) }
    // A request without a line is not recorded, so no preview knows of it.
    return changesNext.has(event.type) && event.lineId !== '' ? { type: 'changed' } : { type: 'nothing' }
  },
  reuse: (known, fresh) => (JSON.stringify(known) === JSON.stringify(fresh) ? known : fresh),
})

/**
 * What a chat shows beside its composer, kept up to date: the request that was decided last, and from its end on what
 * `branch.preview()` says of the next. Null until a request has been seen since the branch was opened, without a branch,
 * and on a server.
 */
export function useContextMeter(branch: Branch | null): ContextMeter | null {
  return useLiveFact(meters, branch)
}

/** Not of another one, such as a request for a title; one whose history the provider holds has no line either. */
function isOfConversation({ lineId, method }: ContextDecision): boolean {
  return lineId !== '' || method === 'remote'
}

function meterOf(measured: Omit<ContextMeter, 'share'>): ContextMeter {
  const { before, after, method, ceiling, line, target, action, parts } = measured
  return { before, after, method, ceiling, line, target, share: ceiling && after / ceiling, action, parts }
}
