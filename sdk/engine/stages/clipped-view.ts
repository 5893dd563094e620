import type { NativeMessage, WireFormat } from '../format.ts'
import { mayPause, Pace } from '../pace.ts'
import type { Plan } from '../plan.ts'
import { projectedBodies } from '../projected-message.ts'
import type { Entry, Line } from '../record.ts'
import { codePoints } from '../text.ts'
import type { ClippableBody, ClippableResult } from './clippable.ts'
import { copyEntry } from './copy-entry.ts'
import type { Proposal, StageContext } from './stage.ts'

/** A cut that was tried. */
export interface Cut {
  /** Code points of its source that the body keeps. */
  readonly kept: number
  /** Tokens that the request has less with it; below 0 where it has more. */
  readonly saved: number
}

type Allowances = readonly (number | null)[]

/**
 * A view whose results are cut one after the other, outside the record (R76, R78). A cut is counted by what it
 * changes in its own result, so that trying one costs that result and not the history.
 */
export class ClippedView {
  readonly #context: StageContext
  readonly #pace = new Pace()
  readonly #allowances = new Map<ClippableResult, Allowances>()
  /** Each result that a cut was tried on, in a message of its own; null where it has none. */
  readonly #alone = new Map<ClippableResult, LoneResult | null>()
  readonly #saved = new Map<ClippableResult, number>()
  readonly #clipped: NonNullable<Proposal['clipped']>[number][] = []
  #counted: number

  constructor(context: StageContext) {
    this.#context = context
    this.#counted = context.size.counted
  }

  /** Tokens of the whole request with the cuts that were made. */
  get counted(): number {
    return this.#counted
  }

  /** Tokens of a result as it stands, for each code point of its bodies. */
  tokensPerCharacter(result: ClippableResult): number {
    const { original, bodies, rules } = result
    const tokens = (this.#context.size.entries.get(original.index) ?? 0) - (this.#saved.get(result) ?? 0)
    const { texts } = projectedBodies(bodies, {
      index: original.index,
      rules,
      allowances: this.#allowancesOf(result),
    })
    const shown = bodies.reduce(
      (sum, { source }, ordinal) => sum + codePoints(texts.get(ordinal) ?? source),
      0,
    )
    return tokens / shown
  }

  /** Counts what one body saves that is cut further, with its marker and label. */
  *try(body: ClippableBody, kept: number): Plan<Cut> {
    const { result } = body
    if (this.#pace.isDue(result.original.chars)) yield mayPause
    const allowances = this.#allowancesWith(body, kept)
    const alone = this.#aloneOf(result)
    if (alone !== null) {
      const change = yield* this.#context.measureChange(
        alone.under(this.#allowancesOf(result)),
        alone.under(allowances),
      )
      if (change !== null) return { kept, saved: -change }
    }
    const candidate = new Map(this.#allowances).set(result, allowances)
    const { counted } = yield* this.#context.measure(this.#lineWith(candidate))
    return { kept, saved: this.#counted - counted }
  }

  make(body: ClippableBody, { kept, saved }: Cut): void {
    const { result, length } = body
    this.#saved.set(result, (this.#saved.get(result) ?? 0) + saved)
    this.#allowances.set(result, this.#allowancesWith(body, kept))
    this.#clipped.push({ index: result.original.index, chars: length, kept })
    this.#counted -= saved
  }

  /** Null where no cut was made. */
  proposal(): Proposal | null {
    if (this.#clipped.length === 0) return null
    const { record, view } = this.#lineWith(this.#allowances)
    return { view, added: record.slice(this.#context.line.record.length), taken: [], clipped: this.#clipped }
  }

  #allowancesOf(result: ClippableResult): Allowances {
    return this.#allowances.get(result) ?? result.allowances
  }

  #allowancesWith({ result, ordinal }: ClippableBody, kept: number): Allowances {
    const current = this.#allowancesOf(result)
    return result.bodies.map((_, other) => (other === ordinal ? kept : (current[other] ?? null)))
  }

  #aloneOf(result: ClippableResult): LoneResult | null {
    const known = this.#alone.get(result)
    if (known !== undefined) return known
    const alone = loneResult(result, this.#context.wire)
    this.#alone.set(result, alone)
    return alone
  }

  /** The line with one copy for each result that was cut, in its place (R141). */
  #lineWith(allowances: ReadonlyMap<ClippableResult, Allowances>): Line {
    const { line, foldId } = this.#context
    const byShown = new Map([...allowances].map(([result, kept]) => [result.shown, { result, kept }]))
    const record: Entry[] = [...line.record]
    const view = line.view.map((shown) => {
      const cut = byShown.get(shown)
      if (cut === undefined) return shown
      const index = record.length
      record.push(clippedCopy(cut.result, { index, foldId, kept: cut.kept }))
      return index
    })
    return { ...line, record, view }
  }
}

/** `chars` are those of the readable text as the copy shows it, under the bound in force. */
function clippedCopy(
  { original, bodies, rules }: ClippableResult,
  { index, foldId, kept }: { readonly index: number; readonly foldId: string; readonly kept: Allowances },
): Entry {
  const { texts } = projectedBodies(bodies, { index: original.index, rules, allowances: kept })
  const omitted = [...texts].reduce(
    (sum, [ordinal, text]) => sum + codePoints(bodies[ordinal]?.source ?? '') - codePoints(text),
    0,
  )
  return copyEntry(original, {
    index,
    copy: { foldId, original: original.index, kept },
    chars: original.chars - omitted,
  })
}

/** A result in a message of its own: what is counted of it there is counted of it anywhere. */
interface LoneResult {
  /** The message with what the bodies may keep; the same one for the same allowances. */
  under(allowances: Allowances): NativeMessage
}

function loneResult(
  { original, known, bodies, rules }: ClippableResult,
  wire: WireFormat,
): LoneResult | null {
  const drafts = known.reading.drafts.length
  const { messages } = wire.compose(
    [
      {
        type: 'message',
        native: known.snapshot,
        snapshot: known.snapshot,
        projection: null,
        kept: [original.source?.draft ?? 0],
        indexes: known.reading.drafts.map((_, draft) => draft),
        whole: drafts === 1,
      },
    ],
    { model: undefined, changedFrom: null },
  )
  const [message] = messages
  if (message === undefined || messages.length > 1) return null
  const results = [...wire.resultBodies(message.snapshot)]
  const [only] = results
  if (only === undefined || results.length > 1 || only[1].length !== bodies.length) return null
  const made = new Map<string, NativeMessage>()
  return {
    under(allowances) {
      const name = allowances.join('+')
      const before = made.get(name)
      if (before !== undefined) return before
      const { texts } = projectedBodies(bodies, { index: original.index, rules, allowances })
      const shown =
        texts.size === 0
          ? message.snapshot
          : wire.replaceBodies(message.snapshot, new Map([[only[0], texts]]))
      made.set(name, shown)
      return shown
    },
  }
}
