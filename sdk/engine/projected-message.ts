import type { BodyTexts, NativeMessage, WireFormat } from './format.ts'
import type { KnownMessage } from './intake.ts'
import { effectiveKept, type ProjectionRules, project } from './projection.ts'
import { codePoints } from './text.ts'

/** Projections kept of one message: the one in force and the one that is tried out. */
const KEPT_PROJECTIONS = 2

/** A projection is a function of the original, its index and the rules (R181), so it is made once. */
const projections = new WeakMap<KnownMessage, Map<string, NativeMessage | null>>()

/**
 * A message with each body of its results within the bound (R163), or null where every body fits as it is.
 * The stored original and the view stay as they are (R164); every projection is cut from the original (R190).
 */
export function projectedMessage(
  known: KnownMessage,
  facts: { readonly wire: WireFormat; readonly first: number; readonly rules: ProjectionRules },
): NativeMessage | null {
  const { wire, first, rules } = facts
  if (rules.maxChars === undefined) return null
  const made = projections.get(known) ?? new Map<string, NativeMessage | null>()
  projections.set(known, made)
  const name = `${first}/${rules.maxChars}/${rules.contextTool ?? ''}`
  const before = made.get(name)
  if (before !== undefined) return before
  const texts = projectedTexts(known.snapshot, wire, first, rules)
  const projected = texts.size === 0 ? null : wire.replaceBodies(known.snapshot, texts)
  // A bound that is being tried out, as with a slider, must not leave a copy for each of its values.
  if (made.size >= KEPT_PROJECTIONS) made.clear()
  made.set(name, projected)
  return projected
}

function projectedTexts(
  snapshot: NativeMessage,
  wire: WireFormat,
  first: number,
  rules: ProjectionRules,
): BodyTexts {
  const texts = new Map<number, ReadonlyMap<number, string>>()
  for (const [draft, bodies] of wire.resultBodies(snapshot)) {
    const own = new Map<number, string>()
    for (const [ordinal, body] of bodies.entries()) {
      const length = codePoints(body.source)
      if (length <= (rules.maxChars ?? length)) continue
      const whole = { ...body, index: first + draft }
      const kept = effectiveKept(whole, length, rules)
      // Below the least bound that a policy may set, nothing fits and the body stays for the ceiling to judge.
      if (kept !== null) own.set(ordinal, project(whole, kept, rules).text)
    }
    if (own.size > 0) texts.set(draft, own)
  }
  return texts
}
