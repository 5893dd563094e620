import type { EntryDraft } from './format.ts'
import type { Scale } from './scale.ts'

export type EntryKind = EntryDraft['kind'] | 'note' | 'copy'

/** Where an entry's own bytes stand: a draft inside a native message that is stored once by content hash. */
export interface EntrySource {
  readonly hash: string
  /** Record index of the message's first draft: tells two equal messages apart. */
  readonly first: number
  /** Ordinal of the draft inside the message. */
  readonly draft: number
  /** Number of drafts in the message, so that a message that lost one is known without reading it. */
  readonly of: number
}

/** One line of a folded call list: what the note shows for it (R115). */
export interface FoldedCall {
  /** Record index of the result, or of the call where it never had one; of a reading, that of what it read. */
  readonly index: number
  /** Record index of a reading's own result, by which it is known whether it stands in the view; else `index`. */
  readonly entry?: number
  readonly function: string
  /** Already clipped for display (R116). */
  readonly arguments: string
  /** Code points of the stored original; null where the call never had a result. */
  readonly outputChars: number | null
}

/** Record index of the entry that a line of the list is about: the one that left the view. */
export function entryOf({ entry, index }: FoldedCall): number {
  return entry ?? index
}

/** An instruction or answer that a note stands for where no summary speaks of it (rules.md 6). */
export interface FoldedWords {
  readonly index: number
  readonly kind: 'instruction' | 'answer'
  /** Its first 120 code points. */
  readonly preview: string
}

/** Provenance of a note: what it stands for (R119, R120). */
export interface NoteProvenance {
  readonly foldId: string
  /** Record index of the first entry it replaced: its chronology key (R220). */
  readonly firstIndex: number
  /** Every record index it stands for, ascending. */
  readonly members: readonly number[]
  /** Every call that it lists, in the order of the record. */
  readonly calls: readonly FoldedCall[]
  /** What was written of what it stands for; absent: the lists stand alone (R157). */
  readonly summary?: string
  /** In the order of the record; only where no summary speaks of them. */
  readonly words?: readonly FoldedWords[]
}

/** Provenance of a clipped copy: the original that it stands for and how much of it there is (R143, R186). */
export interface CopyProvenance {
  readonly foldId: string
  /** Record index of the original result, never of another copy. */
  readonly original: number
  /** Code points of its source that each body may keep, in the order of the result's bodies; null: all. */
  readonly kept: readonly (number | null)[]
  /** Nothing of it is shown, media neither: a placeholder stands for the whole result (R335). */
  readonly cleared?: true
}

/** One entry of the append-only record. Never edited, never deleted; the index is its public address (R383). */
export interface Entry {
  readonly index: number
  readonly kind: EntryKind
  /** Digest of the match text; empty for notes and copies, which no list can hold. */
  readonly key: string
  /** Groups an answer with its calls and results; -1 where the entry belongs to no round. */
  readonly round: number
  readonly source?: EntrySource
  /** A leading system or developer message: a slot of the request, measured but not matched (rules.md 6). */
  readonly slot?: true
  readonly note?: NoteProvenance
  readonly copy?: CopyProvenance
  readonly callId?: string
  readonly name?: string
  /** An instruction that may open a turn and be the task. */
  readonly startsTurn?: boolean
  /** Code points of the entry's readable text. */
  readonly chars: number
}

/** Whether the conversation's first round stays ahead of every fold, and by which figures (R263, R265). */
export interface FirstRoundDecision {
  readonly included: boolean
  /** Record indexes of its entries, ascending. */
  readonly members: readonly number[]
  /** Digest of its compiled messages. */
  readonly hash: string
  readonly ceiling: number
  /** A tenth of the ceiling: what it may cost. */
  readonly budget: number
  /** Tokens counted, before the scale. */
  readonly counted: number
  readonly scale: Scale
  /** The bound on result bodies that it was compiled with, and goes on being compiled with (R272); null: none. */
  readonly maxChars: number | null
  /** Names the way in which bodies are shortened. */
  readonly projectionVersion: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly requestId: string
}

/** One line of a conversation: its record, and what of it the next request holds. */
export interface Line {
  readonly id: string
  /** The line it split from, and the first record index that differs. */
  readonly parent?: { readonly lineId: string; readonly index: number }
  readonly record: readonly Entry[]
  /** Record indexes in send order. */
  readonly view: readonly number[]
  /** Record indexes that a completed request has carried (R81). */
  readonly delivered: ReadonlySet<number>
  /** Record indexes that the last request handed to the app carried; an answer after them is evidence (rules.md 6). */
  readonly carried: readonly number[]
  /**
   * Which list entries (no slots, notes or copies) the app's latest list held, as a half-open range of their
   * ordinals: a list that is a prefix moves the end back, a list that is a suffix moves the start.
   */
  readonly window: { readonly from: number; readonly to: number }
  /** Record indexes that no stage takes or shortens because somebody pinned them. */
  readonly pinned: ReadonlySet<number>
  /** Originals that were restored or read back, and are not clipped before a completed request carried them (R149). */
  readonly recovered: ReadonlySet<number>
  /** Decided once, while the provider's cache is placed (R261); absent: pending. */
  readonly firstRound?: FirstRoundDecision
}

export function emptyLine(id: string): Line {
  return {
    id,
    record: [],
    view: [],
    delivered: new Set(),
    carried: [],
    window: { from: 0, to: 0 },
    pinned: new Set(),
    recovered: new Set(),
  }
}

/** The original that an entry of the view stands for: a copy's, else the entry itself. */
export function originalOf(record: readonly Entry[], index: number): Entry | undefined {
  const entry = record[index]
  return entry?.copy ? record[entry.copy.original] : entry
}

/** Record index of what an entry of the view stands for: of a copy, its original's. */
export function standsFor(record: readonly Entry[], index: number): number {
  return record[index]?.copy?.original ?? index
}

/** Originals that stand in a view, whole or as a copy. */
export function standingOriginals({ record, view }: Pick<Line, 'record' | 'view'>): ReadonlySet<number> {
  return new Set(view.map((index) => standsFor(record, index)))
}

/** Records are values: a longer one is another array, so what was derived from one stays true of it. */
const listsOfRecords = new WeakMap<readonly Entry[], readonly Entry[]>()

/** Entries that come from the app's list, in list order: what an incoming list is matched against. */
export function listEntries(record: readonly Entry[]): readonly Entry[] {
  const known = listsOfRecords.get(record)
  if (known) return known
  const list = record.filter((entry) => entry.source !== undefined && !entry.slot)
  listsOfRecords.set(record, list)
  return list
}

/** Those of them that the app's latest list held, in its order. */
export function windowEntries({ record, window }: Pick<Line, 'record' | 'window'>): readonly Entry[] {
  return listEntries(record).slice(window.from, window.to)
}
