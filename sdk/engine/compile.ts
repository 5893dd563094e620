import type { CompiledItem, NativeMessage, WireFormat } from './format.ts'
import type { KnownMessage } from './intake.ts'
import { noteReach } from './note-reach.ts'
import { noteText } from './note-text.ts'
import { projectedMessage } from './projected-message.ts'
import type { ProjectionRules } from './projection.ts'
import { type CopyProvenance, type Entry, type Line, originalOf } from './record.ts'

/** The message that an entry came in, by the record index of its first draft. */
export interface SourceMessage {
  /** What the app handed over for it in this request, else the engine's copy. */
  readonly native: NativeMessage
  readonly known: KnownMessage
}

export interface CompileOptions {
  readonly wire: WireFormat
  readonly line: Line
  /** Record indexes in send order; a candidate view need not be the line's own. */
  readonly view: readonly number[]
  readonly sources: ReadonlyMap<number, SourceMessage>
  /** The bound on result bodies, and the context tool where the model may use it. */
  readonly rules: ProjectionRules
}

export interface CompiledView {
  readonly items: readonly CompiledItem[]
  /** Originals with a body that no shortening brings under the bound; they stand there whole (R188). */
  readonly unfit: readonly number[]
}

/**
 * Lists what the next request holds, in send order: messages whole or in part, and notes at the nearest
 * message boundary before the round of their first member (rules.md 2). The slot entry of the system is left
 * out: the request carries its own.
 */
export function compileItems(options: CompileOptions): CompiledView {
  const { line, view, sources, wire, rules } = options
  const items: CompiledItem[] = []
  const unfit: number[] = []
  const reaches = noteReach({ record: line.record, view })
  let open: OpenMessage | null = null
  const close = (): void => {
    if (open === null) return
    const { source, entries, first, copies } = open
    const size = entries[0]?.source?.of ?? 0
    const bounds = frozenBounds(line, entries)
    const projected = projectedMessage(source.known, { wire, first, rules, copies, bounds })
    unfit.push(...projected.unfit.map((draft) => first + draft))
    items.push({
      type: 'message',
      native: projected.message ?? source.native,
      snapshot: projected.message ?? source.known.snapshot,
      projection: projected.message === null ? null : projected.name,
      kept: entries.map((entry) => entry.source?.draft ?? 0),
      indexes: Array.from({ length: size }, (_, draft) => first + draft),
      whole: entries.length === size,
    })
    open = null
  }
  for (const index of view) {
    const entry = line.record[index]
    if (entry === undefined || entry.slot) continue
    if (entry.note) {
      const item: CompiledItem = {
        type: 'note',
        text: noteText(entry.note, {
          contextTool: rules.contextTool,
          isGone: (member) => reaches(index, member),
          storedSizes: rules.maxChars !== undefined,
        }),
        index,
      }
      const firstMember = line.record[entry.note.firstIndex]
      const opened = open as { entries: Entry[] } | null
      if (opened && firstMember && opened.entries.some((other) => sameMessageOrRound(other, firstMember)))
        items.push(item)
      else {
        close()
        items.push(item)
      }
      continue
    }
    // A copy is written into its original's place, cut from the original (R146, R202).
    const original = originalOf(line.record, index)
    const first = original?.source?.first
    const source = first === undefined ? undefined : sources.get(first)
    if (original?.source === undefined || first === undefined || source === undefined) continue
    if (open === null || open.first !== first) {
      close()
      open = { source, entries: [], first, copies: new Map() }
    }
    open.entries.push(original)
    if (entry.copy) open.copies.set(original.source.draft, entry.copy)
  }
  close()
  return { items, unfit }
}

interface OpenMessage {
  readonly source: SourceMessage
  readonly first: number
  readonly entries: Entry[]
  /** The copies that stand for some of its drafts. */
  readonly copies: Map<number, CopyProvenance>
}

/** The bound that an included first round goes on with, by draft, so that its bytes do not move (R272). */
function frozenBounds(line: Line, entries: readonly Entry[]): ReadonlyMap<number, number | null> {
  if (line.firstRound?.included !== true) return NO_BOUNDS
  return new Map(
    entries.flatMap((entry) => {
      const bound = frozenBound(line, entry)
      return bound === undefined || entry.source === undefined ? [] : [[entry.source.draft, bound] as const]
    }),
  )
}

/** The bound on the bodies of a result that goes on with its own; null: none, undefined: it has no own. */
export function frozenBound({ firstRound, record }: Line, { index }: Entry): number | null | undefined {
  if (firstRound?.included !== true) return undefined
  const isMember = firstRound.members.some((member) => originalOf(record, member)?.index === index)
  return isMember ? firstRound.maxChars : undefined
}

const NO_BOUNDS: ReadonlyMap<number, number | null> = new Map()

function sameMessageOrRound(entry: Entry, other: Entry): boolean {
  return entry.source?.first === other.source?.first || (entry.round >= 0 && entry.round === other.round)
}

/** Names an item so that equal names mean equal bytes: a message by the record, a note by what it says. */
export function itemSignature(item: CompiledItem): string {
  // What a note lists, and how far a body is shortened, may differ from one request to the next.
  if (item.type === 'note') return `note:${item.index}:${item.text}`
  return `${item.indexes[0] ?? -1}:${item.kept.join(',')}${item.projection === null ? '' : `:${item.projection}`}`
}

/**
 * Position of the first item that is not the app's own message in its place, or null where the items are the
 * app's list: whole, in its order, and all of it.
 */
export function firstChange(items: readonly CompiledItem[], order: readonly number[]): number | null {
  const position = items.findIndex(
    (item, place) =>
      item.type === 'note' || !item.whole || item.projection !== null || item.indexes[0] !== order[place],
  )
  if (position >= 0) return position
  return items.length === order.length ? null : items.length
}
