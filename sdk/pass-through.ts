import type { Prepared } from './branch.ts'
import type { Warning } from './engine/format.ts'
import type { ContextDecision } from './engine/journal.ts'
import type { OpenedRequest } from './request-reading.ts'

export const foreignListWarning: Warning = {
  code: 'list_not_of_this_branch',
  message:
    'the list shares no message with this branch, so it was passed through and not recorded; prepare it on a branch of its own',
}

/** A list of another conversation, such as a title request: sent as it is, neither measured nor recorded. */
export function passThrough(
  opened: OpenedRequest,
  facts: Pick<ContextDecision, 'branchId' | 'requestId' | 'sequence' | 'at' | 'model'>,
): Prepared {
  const decision: ContextDecision = {
    ...facts,
    v: 1,
    lineId: '',
    attempt: 1,
    format: opened.wire.format,
    ceiling: null,
    ceilingSource: 'none',
    line: null,
    target: null,
    method: 'bound',
    before: 0,
    after: 0,
    counted: 0,
    scale: 1,
    parts: [],
    action: 'pass',
    folded: [],
    sent: true,
    trace: [],
    warnings: [foreignListWarning],
  }
  return {
    request: opened.request,
    decision,
    warnings: decision.warnings,
    settle: async () => ({ scale: 1 }),
  }
}
