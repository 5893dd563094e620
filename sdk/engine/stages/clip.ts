import type { Plan } from '../plan.ts'
import { clippableBodies } from './clippable.ts'
import { ClippedView } from './clipped-view.ts'
import { leastCut } from './least-cut.ts'
import type { Proposal, Stage, StageContext } from './stage.ts'

/**
 * Shortens bodies of results, read or not, the largest first and each by no more than what is still over the
 * target (R126, R134, R135). Each original that is cut gets one copy in its place, cut from the original and never
 * from an older copy (R141, R146). Nothing leaves the view.
 */
export const clip: Stage = {
  name: 'clip',
  keptTail: null,
  *propose(context: StageContext): Plan<Proposal | null> {
    const view = new ClippedView(context)
    for (const body of clippableBodies(context)) {
      if (view.counted <= context.targetCounted) break
      const cut = yield* leastCut(view, body, context.targetCounted)
      if (cut !== null) view.make(body, cut)
    }
    return view.proposal()
  },
}
