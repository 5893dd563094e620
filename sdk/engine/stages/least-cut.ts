import { askCounts, type Plan } from '../plan.ts'
import { addedText, effectiveKept, greatestFit } from '../projection.ts'
import { codePoints } from '../text.ts'
import type { ClippableBody } from './clippable.ts'
import type { ClippedView, Cut } from './clipped-view.ts'

/** How often a proposal is corrected by what it was counted to save. */
const REFINEMENTS = 2

/**
 * The cut of one body that saves just enough for what remains, or its deepest where even that is not enough
 * (R135, R137); null where no cut lowers the count (R199). Proposals come from tokens per character; what a cut
 * saves is always counted (R138, R192, R193).
 */
export function* leastCut(view: ClippedView, body: ClippableBody, target: number): Plan<Cut | null> {
  const needed = view.counted - target
  let cut = yield* view.try(body, firstProposal(view, body, needed))
  let least = cut.counted <= target ? cut : null
  for (let refinement = 0; refinement < REFINEMENTS; refinement++) {
    const saved = view.counted - cut.counted
    if (saved >= needed ? saved <= enough(needed) : cut.kept === body.floor) break
    const kept = yield* refinedProposal(body, { kept: cut.kept, saved, needed })
    if (kept === cut.kept) break
    cut = yield* view.try(body, kept)
    if (cut.counted <= target && cut.kept > (least?.kept ?? 0)) least = cut
  }
  if (least !== null) return least
  const deepest = cut.kept === body.floor ? cut : yield* view.try(body, body.floor)
  return deepest.counted < view.counted ? deepest : null
}

/** More than this is more than just enough. */
function enough(needed: number): number {
  return needed + Math.max(needed / 4, 32)
}

/** By the tokens that a character of this result has, its marker counted like any other text. */
function firstProposal(view: ClippedView, body: ClippableBody, needed: number): number {
  const { result, length, kept, floor } = body
  const overhead = (count: number): number =>
    codePoints(addedText(body.body, { length, kept: count }, result.rules))
  const shown = kept + overhead(kept)
  const maxChars = Math.floor(shown - needed / view.tokensPerCharacter(result))
  return atFloor(body, greatestFit({ length, allowance: kept - 1, maxChars, overhead }) ?? floor)
}

/** By what a cut was counted to save, with what its marker costs told apart from what its text does. */
function* refinedProposal(
  body: ClippableBody,
  { kept, saved, needed }: { readonly kept: number; readonly saved: number; readonly needed: number },
): Plan<number> {
  const { length, floor } = body
  const added = addedText(body.body, { length, kept }, body.result.rules)
  // A body that is cut already has a marker, and changes it for another one.
  const [marker = 0] = body.kept < length ? [] : yield* askCounts([added])
  const perCharacter = (saved + marker) / (body.kept - kept)
  if (perCharacter <= 0) return floor
  const missing = Math.max(0, needed - saved)
  const aim = needed + Math.ceil(missing / 4) + 1
  return atFloor(body, Math.floor(body.kept - (aim + marker) / perCharacter))
}

/** A proposal as it fits the bound, and never below the floor. */
function atFloor({ body, result, kept, floor }: ClippableBody, proposed: number): number {
  const fitting = effectiveKept(body, Math.min(proposed, kept - 1), result.rules)
  return Math.max(fitting ?? floor, floor)
}
