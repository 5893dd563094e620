import type { Warning, WireFormat } from './engine/format.ts'
import type { ContextPolicy } from './engine/policy.ts'
import type { OpenedRequest } from './request-reading.ts'

export const foreignListWarning: Warning = {
  code: 'list_not_of_this_branch',
  message:
    'the list shares no message with this branch, so it was measured by itself and not recorded; prepare it on a branch of its own',
}

/** Faults that came in with the app's own list: it goes out as it is, and the app is told once per request. */
export function requestWarnings(opened: OpenedRequest): readonly Warning[] {
  const faults = opened.wire.lint(opened.request)
  if (faults.length === 0) return []
  const rules = [...new Set(faults.map((fault) => fault.rule))].join(', ')
  return [
    {
      code: 'request_has_faults',
      message: `the request came in with ${faults.length} structural ${faults.length === 1 ? 'fault' : 'faults'} that the provider may reject (${rules}), the first at ${faults[0]?.path ?? ''}; it is sent as it is`,
    },
  ]
}

/** Settings that the format of a request cannot honour: they are kept, and never a reason to refuse (rules.md 6). */
export function settingWarnings(policy: ContextPolicy, { cacheMarks }: WireFormat): readonly Warning[] {
  if (policy.promptCaching !== true || cacheMarks !== undefined) return []
  return [
    {
      code: 'setting_without_effect',
      message:
        'promptCaching has no effect here: requests of this format hold no cache marks, and its providers cache by themselves; the setting stays with the branch',
    },
  ]
}
