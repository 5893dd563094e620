import { clearedText } from './cleared-text.ts'
import type { BodyTexts, NativeMessage, WireFormat } from './format.ts'
import type { KnownMessage } from './intake.ts'
import { effectiveKept, type ProjectionRules, project } from './projection.ts'
import type { TextBody } from './readable-text.ts'
import type { CopyProvenance } from './record.ts'
import { codePoints } from './text.ts'

/** Projections kept of one message: the one in force and those that a clip tries out. */
const KEPT_PROJECTIONS = 4

export interface ProjectedMessage {
  /** Null where every body stands as it is. */
  readonly message: NativeMessage | null
  /** Says how its bodies are shortened; equal names of one message mean equal bytes. */
  readonly name: string
  /** Drafts with a body that no shortening brings under the bound (R188). */
  readonly unfit: readonly number[]
}

export interface MessageProjection {
  readonly wire: WireFormat
  /** Record index of the message's first draft. */
  readonly first: number
  readonly rules: ProjectionRules
  /** The copies that stand for some drafts: what each keeps of its original's bodies, or that it is cleared (R186). */
  readonly copies: ReadonlyMap<number, Pick<CopyProvenance, 'kept' | 'cleared'>>
  /** A bound of their own for some drafts; null: none. */
  readonly bounds: ReadonlyMap<number, number | null>
}

/** A projection is a function of the original, its index, the allowances and the rules (R181), so it is made once. */
const projections = new WeakMap<KnownMessage, Map<string, ProjectedMessage>>()

/**
 * A message with each body of its results within the bound and within what a copy may keep (R163, R187). The
 * stored original and the view stay as they are (R164); every projection is cut from the original (R190).
 */
export function projectedMessage(known: KnownMessage, options: MessageProjection): ProjectedMessage {
  const { rules, copies, bounds } = options
  if (rules.maxChars === undefined && copies.size === 0 && bounds.size === 0) return WHOLE
  const name = projectionName(options)
  const made = projections.get(known) ?? new Map<string, ProjectedMessage>()
  projections.set(known, made)
  const before = made.get(name)
  if (before !== undefined) return before
  const { texts, unfit } = projectedTexts(known.snapshot, options)
  const shortened = texts.size === 0 ? null : options.wire.replaceBodies(known.snapshot, texts)
  const message = withCleared(known, shortened, options)
  const projected: ProjectedMessage = { message, name, unfit }
  // A bound that is being tried out, as with a slider, must not leave a copy for each of its values.
  if (made.size >= KEPT_PROJECTIONS) made.clear()
  made.set(name, projected)
  return projected
}

const WHOLE: ProjectedMessage = { message: null, name: '', unfit: [] }

/** The message with a placeholder for each result that was cleared; null where there is nothing to replace. */
function withCleared(
  { snapshot, chars }: KnownMessage,
  shortened: NativeMessage | null,
  { wire, first, rules, copies, bounds }: MessageProjection,
): NativeMessage | null {
  let message = shortened
  for (const [draft, { cleared }] of copies) {
    if (!cleared) continue
    const result = { index: first + draft, length: chars[draft] ?? 0 }
    const text = clearedText(result, rulesUnder(bounds.get(draft), rules))
    message = wire.clearResult(message ?? snapshot, draft, text) ?? message
  }
  return message
}

function projectionName({ first, rules, copies, bounds }: MessageProjection): string {
  const shown = [...copies].map(
    ([draft, { kept, cleared }]) => `${draft}=${cleared ? 'cleared' : kept.join('+')}`,
  )
  const own = [...bounds].map(([draft, bound]) => `${draft}<${bound}`)
  return [first, rules.maxChars ?? '', rules.contextTool ?? '', ...shown, ...own].join('/')
}

function projectedTexts(
  snapshot: NativeMessage,
  { wire, first, rules, copies, bounds }: MessageProjection,
): { readonly texts: BodyTexts; readonly unfit: readonly number[] } {
  const texts = new Map<number, ReadonlyMap<number, string>>()
  const unfit: number[] = []
  for (const [draft, bodies] of wire.resultBodies(snapshot)) {
    const copy = copies.get(draft)
    if (copy?.cleared) continue
    const own = projectedBodies(bodies, {
      index: first + draft,
      rules: rulesUnder(bounds.get(draft), rules),
      allowances: copy?.kept ?? [],
    })
    if (own.isUnfit) unfit.push(draft)
    if (own.texts.size > 0) texts.set(draft, own.texts)
  }
  return { texts, unfit }
}

/** The bodies of one result that do not stand there whole, by their ordinal. */
export function projectedBodies(
  bodies: readonly TextBody[],
  options: {
    /** Record index of the original. */
    readonly index: number
    readonly rules: ProjectionRules
    readonly allowances: readonly (number | null)[]
  },
): { readonly texts: ReadonlyMap<number, string>; readonly isUnfit: boolean } {
  const { index, rules, allowances } = options
  const texts = new Map<number, string>()
  let isUnfit = false
  for (const [ordinal, body] of bodies.entries()) {
    const length = codePoints(body.source)
    const allowance = allowances[ordinal] ?? length
    if (allowance >= length && length <= (rules.maxChars ?? length)) continue
    const whole = { ...body, index }
    const kept = effectiveKept(whole, allowance, rules)
    if (kept === null) isUnfit = true
    else if (kept < length) texts.set(ordinal, project(whole, kept, rules).text)
  }
  return { texts, isUnfit }
}

/** The rules with another bound; null: with none, undefined: as they are. */
export function rulesUnder(bound: number | null | undefined, rules: ProjectionRules): ProjectionRules {
  if (bound === undefined) return rules
  const { contextTool } = rules
  return bound === null ? { contextTool } : { contextTool, maxChars: bound }
}
