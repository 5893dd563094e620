import { compileItems, firstChange, itemSignature, type SourceMessage } from './compile.ts'
import type { CompiledItem, Composition, WireFormat, WireMessage } from './format.ts'
import type { KnownField } from './intake.ts'
import { type MeasureMemory, measureRequest, type RequestSize } from './measure.ts'
import type { Plan } from './plan.ts'
import type { ProjectionRules } from './projection.ts'
import type { Line } from './record.ts'

/** All that a request is compiled and measured from, beside the line. */
export interface RequestFacts {
  readonly wire: WireFormat
  readonly model: string | undefined
  readonly fields: readonly KnownField[]
  readonly leading: readonly WireMessage['snapshot'][]
  /** By the record index of a message's first draft; must hold every message of the view. */
  readonly sources: ReadonlyMap<number, SourceMessage>
  /** Record index of the first draft of each message of the app's list, in its order. */
  readonly order: readonly number[]
  readonly rules: ProjectionRules
  readonly memory: MeasureMemory
}

export interface CompiledRequest {
  readonly composition: Composition
  /** The messages are not the app's own list. */
  readonly changed: boolean
  /** Signatures of the items; what is said once is not among them (rules.md 4, U2). */
  readonly items: readonly string[]
  readonly size: RequestSize
  /** Originals with a body that no shortening brings under the bound (R188). */
  readonly unfit: readonly number[]
}

/** Compiles a line into messages and measures them with all that is sent beside them. */
export function* compileRequest(
  facts: RequestFacts,
  line: Line,
  /** Said to the model as the last of this request, and never stored (rules.md 3, O4). */
  notice: string | null = null,
): Plan<CompiledRequest> {
  const { wire, model, sources, rules } = facts
  const view = compileItems({ line, view: line.view, sources, wire, rules })
  const items: readonly CompiledItem[] =
    notice === null ? view.items : [...view.items, { type: 'note', text: notice, index: null }]
  const changedFrom = firstChange(items, facts.order)
  const composition = wire.compose(items, { model, changedFrom })
  const size = yield* measureRequest({
    wire,
    model,
    fields: facts.fields,
    leading: facts.leading,
    messages: composition.messages,
    record: line.record,
    memory: facts.memory,
  })
  return {
    composition,
    changed: changedFrom !== null,
    items: view.items.map(itemSignature),
    size,
    unfit: view.unfit,
  }
}
