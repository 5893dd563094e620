import type { Warning } from './engine/format.ts'
import type { ContextPolicy } from './engine/policy.ts'
import type { IncomingRequest } from './request-intake.ts'
import type { OpenedRequest } from './request-reading.ts'

export const foreignListWarning: Warning = {
  code: 'list_not_of_this_branch',
  message:
    'the list shares no message with this branch, so it was measured by itself, and neither recorded nor folded nor repaired; prepare it on a branch of its own',
}

export const branchBusy: Warning = {
  code: 'branch_busy',
  message:
    'another tab has held this branch for five seconds, so the step went on beside it; what both do is kept, on lines of their own where they differ',
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

/**
 * Settings that a request gives nothing to do: they are kept, for a later one may, and are never a reason to refuse
 * (R240, R241; rules.md 6).
 */
export function settingWarnings(
  policy: ContextPolicy,
  { wire, read }: Pick<OpenedRequest, 'wire' | 'read'>,
  { messages }: Pick<IncomingRequest, 'messages'>,
): readonly Warning[] {
  const holdsTools =
    read.tools.length > 0 ||
    messages.some(({ reading }) => reading.drafts.some(({ kind }) => kind === 'call' || kind === 'result'))
  return [
    ...(policy.promptCaching === true && (wire.cacheMarks === undefined || read.takesNoMarks === true)
      ? [
          withoutEffect(
            'promptCaching',
            'only requests to Anthropic hold cache marks, whether in its own format or, with its name as the provider, in that of the AI SDK; other providers cache by themselves',
          ),
        ]
      : []),
    ...(policy.toolResultMaxChars !== undefined && !holdsTools
      ? [withoutEffect('toolResultMaxChars', 'the request has no tools and no results of any')]
      : []),
  ]
}

function withoutEffect(key: keyof ContextPolicy, why: string): Warning {
  return {
    code: 'setting_without_effect',
    message: `${key} has no effect here: ${why}; the setting stays with the branch`,
  }
}
