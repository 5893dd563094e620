import type { PartName, PartSize } from '../sdk/engine/journal.ts'

/** A part of a request, or what its estimate adds to the tokens that were counted. */
export type StackName = PartName | 'uncounted'

/** Parts in send order: a bar reads like the prompt, bottom-up or left to right. */
export const stackOrder: readonly StackName[] = [
  'system',
  'tools',
  'instruction',
  'note',
  'answer',
  'call',
  'result',
  'media',
  'other',
  'uncounted',
]

/** What is not the app's own text is striped. */
export const stripedParts: ReadonlySet<StackName> = new Set(['note', 'uncounted'])

export const stackLabels: Readonly<Record<StackName, string>> = {
  system: 'System',
  tools: 'Tools',
  instruction: 'User',
  note: 'Notes',
  answer: 'Answers',
  call: 'Calls',
  result: 'Results',
  media: 'Media',
  other: 'Other',
  uncounted: 'Uncounted',
}

export interface StackSegment {
  readonly name: StackName
  /** Tokens as counted; for `uncounted`, what the estimate adds to them. */
  readonly tokens: number
  readonly from: number
  readonly to: number
}

/**
 * Lays the counted parts of a request end to end up to its estimate. What the estimate adds stands at the
 * end by itself and is not spread over the parts. An estimate below the count shrinks all parts alike.
 */
export function stackParts(parts: readonly PartSize[], estimate: number): readonly StackSegment[] {
  const tokens = new Map<StackName, number>()
  for (const size of parts) tokens.set(size.part, (tokens.get(size.part) ?? 0) + size.tokens)
  const counted = parts.reduce((sum, size) => sum + size.tokens, 0)
  const factor = counted > estimate ? estimate / counted : 1
  if (estimate > counted) tokens.set('uncounted', estimate - counted)
  const segments: StackSegment[] = []
  let from = 0
  for (const name of stackOrder) {
    const size = tokens.get(name) ?? 0
    if (size <= 0) continue
    segments.push({ name, tokens: size, from, to: from + size * factor })
    from += size * factor
  }
  return segments
}
