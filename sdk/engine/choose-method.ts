import type { ContextDecision } from './journal.ts'
import { anchoredFactor, type Ratio, type Scale, scaleFactor } from './scale.ts'

/** The last completed request of a line whose input was reported for it alone (rules.md 4, U2). */
export interface Anchor {
  readonly model: string
  readonly reported: number
  readonly counted: number
  /** Signatures of the items it carried. */
  readonly items: readonly string[]
}

/** What is on record of the history that a request continues at the provider. */
export interface RemoteHistory {
  /** Input and output of the response that it continues; null where none is known. */
  readonly reported: number | null
  /** What was counted of that for tools. They are no part of the history: each request brings its own. */
  readonly tools?: number
}

export interface MethodFacts {
  readonly model: string | undefined
  readonly anchor: Anchor | null
  readonly scale: Scale
  readonly remote: RemoteHistory | null
  readonly exact: boolean
  /** Signatures of the items that the request carries, and what it counts. */
  readonly items: readonly string[]
  readonly countedNow: number
  /** What of that is tools. */
  readonly toolsNow: number
}

/** How a request is estimated, and by which factor at any scale (rules.md 4, U2). */
export function chooseMethod(request: MethodFacts): {
  readonly method: ContextDecision['method']
  readonly factorFor: (scale: Scale) => Ratio
} {
  const { anchor, remote, scale, countedNow } = request
  const anchoredTo = (reported: number, countedThen: number) => (inForce: Scale) =>
    anchoredFactor({ reported, countedThen, countedNow, scale: inForce })
  if (remote?.reported != null) {
    // Tools that went may never have been billed as they are counted, so only those that stay are taken away.
    const tools = Math.min(remote.tools ?? 0, request.toolsNow)
    return { method: 'remote', factorFor: anchoredTo(remote.reported, tools) }
  }
  if (!request.exact) return { method: 'estimate', factorFor: scaleFactor }
  if (anchor === null || anchor.model !== (request.model ?? '') || !extendsItems(request.items, anchor.items))
    return { method: 'counted', factorFor: scaleFactor }
  const anchored = anchoredTo(anchor.reported, anchor.counted)
  // Tools that went since may take more away than was ever reported, and at a raised scale still more.
  if (anchored(scale).numerator <= 0n) return { method: 'counted', factorFor: scaleFactor }
  const factorFor = (inForce: Scale): Ratio => {
    const factor = anchored(inForce)
    return factor.numerator > 0n ? factor : scaleFactor(inForce)
  }
  return { method: 'anchored', factorFor }
}

/** Strictly longer, with the anchor's items as its beginning. */
function extendsItems(items: readonly string[], before: readonly string[]): boolean {
  return items.length > before.length && before.every((item, position) => items[position] === item)
}
