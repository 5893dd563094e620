import type { Warning } from './format.ts'
import type { SummaryFallback } from './journal.ts'

const missing: Warning = {
  code: 'summary_unavailable',
  message:
    'the request could be made smaller by a summary, but there is no way to have one written; give createDogear a summarize function, give prepare a way to send, or send through dogear.fetch',
}

const why: Readonly<Record<SummaryFallback['reason'], string>> = {
  failed: 'the function or the model that was asked for it failed; see what it throws',
  timeout: 'it did not come in time',
  empty:
    'what came holds no text, or is the text of an error; see that it is a whole answer of the format that is sent',
}

/** What is to be said of summaries that a request could have had. */
export function summaryWarnings(facts: {
  /** There is nobody to write one. */
  readonly isMissing: boolean
  readonly failed: SummaryFallback['reason'] | null
}): readonly Warning[] {
  const { isMissing, failed } = facts
  if (isMissing) return [missing]
  if (failed === null) return []
  return [
    {
      code: 'summary_failed',
      message: `a summary was asked for and none came, so the lists of the note stand alone: ${why[failed]}`,
    },
  ]
}
