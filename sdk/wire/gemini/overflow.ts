import type { OverflowRow } from '../overflow-row.ts'

/** In the words of the Gemini API and of Vertex AI. */
export const overflowRows: readonly OverflowRow[] = [
  {
    name: 'gemini.input-tokens',
    provider: 'google',
    kind: 'context',
    sentence:
      /^the input token count (?:\((?<got>\d+)\) )?exceeds the maximum number of tokens allowed \(?(?<limit>\d+)/i,
  },
  {
    name: 'vertex.input-tokens',
    provider: 'google',
    kind: 'context',
    sentence:
      /^unable to submit request because the input token count is (?<got>\d+) but model only supports up to (?<limit>\d+)/i,
  },
  {
    name: 'gemini.request-bytes',
    provider: 'google',
    kind: 'request-bytes',
    sentence: /^request payload size exceeds (?:the limit: (?<limit>\d+) bytes)?/i,
  },
]
