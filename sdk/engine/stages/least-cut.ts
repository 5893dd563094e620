import type { Plan } from '../plan.ts'
import { addedText, effectiveKept, greatestFit, LEAST_KEPT } from '../projection.ts'
import { codePoints } from '../text.ts'
import type { ClippableBody } from './clippable.ts'
import type { ClippedView, Cut } from './clipped-view.ts'

/** How often a proposal is corrected by what cuts were counted to save; once is mostly enough. */
const REFINEMENTS = 3

/**
 * The cut of one body that saves just enough for what remains, or its deepest where even that is not enough
 * (R135, R137); null where no cut lowers the count (R199). Proposals come from tokens per character; what a cut
 * saves is always counted (R138, R192, R193).
 */
export function* leastCut(view: ClippedView, body: ClippableBody, target: number): Plan<Cut | null> {
  const needed = view.counted - target
  const nothing: Cut = { kept: body.kept, saved: 0 }
  let least: Cut | null = null
  let short: Cut | null = null
  let proposed = firstProposal(view, body, needed)
  for (let refinement = 0; refinement <= REFINEMENTS; refinement++) {
    const cut = yield* view.try(body, proposed)
    if (cut.saved < needed) short = cut
    else least = cut
    if (least !== null && least.saved <= needed + slack(needed)) break
    const [less, more] = least === null ? [nothing, cut] : [short ?? nothing, least]
    proposed = refinedProposal(body, { less, more, needed })
    if (proposed === least?.kept || proposed === short?.kept) break
  }
  if (least !== null) return least
  const deepest = short?.kept === LEAST_KEPT ? short : yield* view.try(body, LEAST_KEPT)
  return deepest.saved > 0 ? deepest : null
}

/** What a cut may save beyond what is needed without being corrected. */
function slack(needed: number): number {
  return Math.max(needed / 8, 32)
}

/** By the tokens that a character of this result has, its marker counted like any other text. */
function firstProposal(view: ClippedView, body: ClippableBody, needed: number): number {
  const { result, length, kept } = body
  const overhead = (count: number): number =>
    codePoints(addedText(body.body, { length, kept: count }, result.rules))
  const maxChars = Math.floor(kept + overhead(kept) - needed / view.tokensPerCharacter(result))
  return fitting(body, greatestFit({ length, allowance: kept, maxChars, overhead }) ?? LEAST_KEPT)
}

/** On the line through two cuts: between them to the middle of what is enough, beyond them to a little further. */
function refinedProposal(
  body: ClippableBody,
  { less, more, needed }: { readonly less: Cut; readonly more: Cut; readonly needed: number },
): number {
  const missing = needed - more.saved
  const aim = needed + (missing > 0 ? Math.ceil(missing / 4) + 1 : slack(needed) / 2)
  const perCharacter = (more.saved - less.saved) / (less.kept - more.kept)
  // So far the marker cost more than its text saved, which says nothing of the text.
  if (perCharacter <= 0) return LEAST_KEPT
  return fitting(body, Math.floor(more.kept + (more.saved - aim) / perCharacter))
}

/** A proposal as it fits the bound, and never below the floor. */
function fitting({ body, length, result }: ClippableBody, proposed: number): number {
  const fits = effectiveKept(body, proposed, result.rules, length)
  return Math.max(fits ?? LEAST_KEPT, LEAST_KEPT)
}
