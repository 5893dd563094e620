import type { OverflowRow } from '../overflow-row.ts'

/** In the words of the Messages API, whichever cloud serves it. */
export const overflowRows: readonly OverflowRow[] = [
  {
    name: 'anthropic.prompt',
    provider: 'anthropic',
    kind: 'context',
    sentence: /^prompt is too long: (?<got>\d+) tokens > (?<limit>\d+) maximum/i,
  },
  {
    name: 'anthropic.prompt-without-numbers',
    provider: 'anthropic',
    kind: 'context',
    sentence: /^prompt is too long\.?$/i,
  },
  {
    name: 'anthropic.prompt-and-output',
    provider: 'anthropic',
    kind: 'context-and-output',
    sentence:
      /^input length and `?max_tokens`? exceed context limit: (?<got>\d+) \+ (?<output>\d+) > (?<limit>\d+)/i,
  },
  {
    // Counted in bytes, which are no limit of tokens; but of text alone, so that less of it is what helps.
    name: 'anthropic.text-bytes',
    provider: 'anthropic',
    kind: 'context',
    sentence: /^(?:messages: )?too many total text bytes/i,
  },
  {
    name: 'anthropic.request-bytes',
    provider: 'anthropic',
    kind: 'request-bytes',
    sentence: /^request exceeds the maximum (?:allowed )?(?:size|number of bytes)/i,
  },
]
