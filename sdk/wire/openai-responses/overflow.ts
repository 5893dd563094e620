import type { OverflowRow } from '../overflow-row.ts'

/** In the words of the Responses API. */
export const overflowRows: readonly OverflowRow[] = [
  {
    name: 'responses.context-window',
    provider: 'openai',
    kind: 'context',
    sentence: /^your input exceeds the context window of this model/i,
  },
]
