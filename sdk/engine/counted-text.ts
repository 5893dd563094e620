import type { CountCache } from './count-cache.ts'
import type { Segment } from './format.ts'
import { type Outline, OutlineJoiner, type OwnedText, outlineSegment } from './outline.ts'
import { mayPause, Pace } from './pace.ts'
import { askCounts, type Plan } from './plan.ts'
import type { OwnedTokens } from './tally.ts'

/** What is kept of a counted text: its loose ends, the sums between them, and its media. Owners are local. */
export interface CountedText {
  readonly ends: Outline
  readonly sums: readonly OwnedTokens[]
  readonly media: readonly OwnedTokens[]
  /** Whose rates the media were counted by. */
  readonly model: string | undefined
}

/** A text that was taken apart and is not counted yet. */
export interface FreshText {
  readonly outline: Outline
  readonly media: readonly OwnedTokens[]
}

export function* freshText(segments: readonly Segment[], pace: Pace): Plan<FreshText> {
  const joiner = new OutlineJoiner()
  for (const segment of segments) joiner.add(yield* outlineSegment(segment, pace), identity)
  return {
    outline: joiner.outline(),
    media: segments.flatMap(({ owner, media }) => (media ? [{ owner, tokens: media }] : [])),
  }
}

/** What to keep of a text once the pieces between its ends are counted. */
export function countedText(
  { outline, media }: FreshText,
  tokens: (text: string) => number,
  model: string | undefined,
): CountedText {
  if (outline.type === 'loose') return { ends: outline, sums: [], media, model }
  return { ends: { ...outline, pieces: [] }, sums: sumsOf(outline.pieces, tokens), media, model }
}

/** Tokens of counted pieces by owner, each once. */
export function sumsOf(
  pieces: readonly OwnedText[],
  tokens: (text: string) => number,
): readonly OwnedTokens[] {
  const sums = new Map<number, number>()
  for (const { owner, text } of pieces) sums.set(owner, (sums.get(owner) ?? 0) + tokens(text))
  return Array.from(sums, ([owner, total]) => ({ owner, tokens: total }))
}

/** Counts each text once, from the cache where it is there. */
export function* countPieces(
  pieces: readonly OwnedText[],
  cache: CountCache,
): Plan<(text: string) => number> {
  const tokens = new Map<string, number>()
  const missing: string[] = []
  const pace = new Pace()
  for (const { text } of pieces) {
    if (tokens.has(text)) continue
    const cached = cache.get(text)
    if (cached === undefined) missing.push(text)
    tokens.set(text, cached ?? 0)
    if (pace.isDue(text.length)) yield mayPause
  }
  for (const [position, count] of (yield* askCounts(missing)).entries()) {
    const text = missing[position] ?? ''
    tokens.set(text, count)
    cache.set(text, count)
    if (pace.isDue(text.length)) yield mayPause
  }
  return (text) => tokens.get(text) ?? 0
}

function identity(owner: number): number {
  return owner
}
