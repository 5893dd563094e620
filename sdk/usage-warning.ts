import type { ReportedUsage, Warning } from './engine/format.ts'
import { isAbsurd } from './engine/scale.ts'

const usageMissing: Warning = {
  code: 'usage_missing',
  message:
    'the response reports no usage, so nothing was learned from it and sizes stay estimates; in a stream of Chat Completions ask for it with stream_options: { include_usage: true }',
}

const usageUnreadable: Warning = {
  code: 'usage_unreadable',
  message:
    'the response reports usage without a believable number of input tokens, so nothing was learned from it; see whether a proxy changes it',
}

/** What is to be said of the usage that the response to a request of so many counted tokens reports; null: nothing. */
export function usageWarning(usage: ReportedUsage | null, counted: number): Warning | null {
  if (usage === null) return usageMissing
  const { input, cacheRead, cacheWrite, output } = usage
  if ([input, cacheRead, cacheWrite, output].every((figure) => figure === undefined)) {
    // Clients that always have a place for figures leave it empty.
    return holdsFigure(usage.raw) ? usageUnreadable : usageMissing
  }
  return input === undefined || isAbsurd({ reported: input, counted }) ? usageUnreadable : null
}

function holdsFigure(value: unknown): boolean {
  if (typeof value !== 'object') return value !== undefined
  return value !== null && Object.values(value).some(holdsFigure)
}
