import { frozenBound } from '../compile.ts'
import { readingResults } from '../folded-calls.ts'
import type { KnownMessage } from '../intake.ts'
import { rulesUnder } from '../projected-message.ts'
import { addedText, type Body, effectiveKept, LEAST_KEPT, type ProjectionRules } from '../projection.ts'
import type { TextBody } from '../readable-text.ts'
import { type Entry, originalOf } from '../record.ts'
import { codePoints } from '../text.ts'
import { isKept, type StageContext } from './stage.ts'

/** A result that a clip may shorten, whole or by an older copy. */
export interface ClippableResult {
  readonly original: Entry
  /** What of it stands in the view: itself or a copy. */
  readonly shown: number
  readonly known: KnownMessage
  readonly bodies: readonly TextBody[]
  /** What an older copy keeps of each body; null: all (R186). */
  readonly allowances: readonly (number | null)[]
  readonly rules: ProjectionRules
}

/** A body that may be cut further. Lengths in code points of its source. */
export interface ClippableBody {
  readonly result: ClippableResult
  readonly ordinal: number
  readonly body: Body
  readonly length: number
  /** What of it is in the request now: what the bound hides already is not there to be saved (R187, R194). */
  readonly kept: number
}

/**
 * All bodies in the reach of a stage that can give anything, largest first and the oldest of equals (R134, R191):
 * a view is in the order of age, and sorting keeps the order of equals.
 */
export function clippableBodies(context: StageContext): readonly ClippableBody[] {
  return clippableResults(context)
    .flatMap((result) => result.bodies.flatMap((_, ordinal) => clippableBody(result, ordinal) ?? []))
    .sort((left, right) => right.kept - left.kept)
}

/**
 * Results in the view, unread ones and the newest included (R126), but for those that are kept, were restored or
 * read from since the last request (R149), or are themselves a reading, whose slice must arrive as it is (R214).
 */
function clippableResults(context: StageContext): readonly ClippableResult[] {
  const { line, sources, wire, from, rules } = context
  const readings = readingResults(context)
  const bodies = new Map<KnownMessage, ReadonlyMap<number, readonly TextBody[]>>()
  return line.view.slice(from).flatMap((shown): readonly ClippableResult[] => {
    const original = originalOf(line.record, shown)
    if (original?.kind !== 'result' || original.source === undefined) return []
    // No body is longer than the text that it is part of.
    if (original.chars <= LEAST_KEPT || isKept(context, shown)) return []
    if (line.recovered.has(original.index) || readings.has(original.index)) return []
    const known = sources.get(original.source.first)?.known
    if (known === undefined) return []
    const inMessage = bodies.get(known) ?? wire.resultBodies(known.snapshot)
    bodies.set(known, inMessage)
    return [
      {
        original,
        shown,
        known,
        bodies: inMessage.get(original.source.draft) ?? [],
        allowances: line.record[shown]?.copy?.kept ?? [],
        rules: rulesUnder(context.placesMarks ? frozenBound(line, original) : undefined, rules),
      },
    ]
  })
}

function clippableBody(result: ClippableResult, ordinal: number): ClippableBody | null {
  const { rules, original } = result
  const text = result.bodies[ordinal]
  if (text === undefined) return null
  const body: Body = { ...text, index: original.index }
  const length = codePoints(body.source)
  const kept = effectiveKept(body, result.allowances[ordinal] ?? length, rules, length)
  if (kept === null || kept <= LEAST_KEPT) return null
  // Just above the floor there may be no cut that fits the bound with its marker.
  const shortest = LEAST_KEPT + codePoints(addedText(body, { length, kept: LEAST_KEPT }, rules))
  if (rules.maxChars !== undefined && shortest > rules.maxChars) return null
  return { result, ordinal, body, length, kept }
}
