import type { Warning } from './engine/format.ts'
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

/** Settings that are kept with the branch and change nothing yet. */
export function unheededSettings(policy: ContextPolicy): readonly Warning[] {
  const unheeded = [
    ...(policy.promptCaching === true ? ['promptCaching'] : []),
    ...(policy.notice === true ? ['notice'] : []),
    ...(policy.compaction === undefined ? [] : ['compaction']),
  ]
  return unheeded.map((setting) => ({
    code: 'setting_without_effect',
    message: `${setting} is stored with the branch and has no effect in this version`,
  }))
}
