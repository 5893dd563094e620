import { draftOf } from '../entry-text.ts'
import { foldedCalls } from '../folded-calls.ts'
import { noteHolders } from '../note-reach.ts'
import { PREVIEW_LIMIT } from '../note-text.ts'
import { askSummary, type Plan, type SummaryOutcome } from '../plan.ts'
import { type Entry, entryOf, type FoldedCall, type FoldedWords, type NoteProvenance } from '../record.ts'
import { tailOf } from '../rounds.ts'
import { readForSummary } from '../summary-request.ts'
import { clipText } from '../text.ts'
import { noteEntry } from './note-entry.ts'
import { spanBefore } from './span.ts'
import { originalsOf, type Proposal, type StageContext, type SummaryStage } from './stage.ts'

/**
 * Replaces all that is older than the tail by one note with a summary of it, and takes the notes there over
 * (R155). Head and task, what somebody keeps and what the model has not read stay where they are (R87, R88).
 */
export function all(keptTail: number): SummaryStage {
  return summarising('all', keptTail)
}

/** The same from the beginning: one note stands for everything after the first round (R277). */
export function reset(keptTail: number): SummaryStage {
  return summarising('reset', keptTail)
}

function summarising(name: 'all' | 'reset', keptTail: number): SummaryStage {
  const spanIn = (context: StageContext): readonly Entry[] => {
    const tail = tailOf(context.line, { entries: keptTail, margin: context.margin })
    const span = spanBefore(context, tail.start)
    const notes = span.filter((entry) => entry.note).length
    // One note for another is no gain, several for one is what a reset is for.
    return span.length > notes || (name === 'reset' && notes > 1) ? span : []
  }
  return {
    name,
    keptTail,
    takes: (context) => new Set(spanIn(context).map((entry) => entry.index)),
    *propose(context) {
      const span = spanIn(context)
      return span.length === 0 ? null : yield* replaceByNote(context, span)
    },
  }
}

export interface NoteWords {
  /** A summary that is there already; absent: one is asked for. */
  readonly given?: SummaryOutcome | undefined
  /** What the writer of one reads of what follows the span, and stays. */
  readonly retained?: readonly Entry[]
}

/** One note in the place of a span, with a summary of it. */
export function* replaceByNote(
  context: StageContext,
  span: readonly Entry[],
  { given, retained }: NoteWords = {},
): Plan<Proposal> {
  const { job, unread } = given ? { job: null, unread: [] } : yield* readForSummary(context, span, retained)
  const summary = job === null ? given : yield* askSummary(job)
  const note = noteEntry(context, noteFacts(context, { span, unread, summary }))
  const gone = new Set(span.map((entry) => entry.index))
  return {
    view: context.line.view.flatMap((index) =>
      index === span[0]?.index ? [note.index] : gone.has(index) ? [] : [index],
    ),
    added: [note],
    taken: originalsOf(context.line, withoutNotes(span)),
    ...(summary ? { summary } : {}),
  }
}

/** What the note stands for and what it lists; what no summary speaks of is listed by its first words. */
function noteFacts(
  context: StageContext,
  facts: {
    readonly span: readonly Entry[]
    readonly unread: readonly Entry[]
    readonly summary: SummaryOutcome | undefined
  },
): Omit<NoteProvenance, 'foldId' | 'firstIndex'> {
  const { span, unread, summary } = facts
  const own = withoutNotes(span)
  const earlier = notesTakenOver(context, span)
  const members = new Set([...earlier.flatMap((note) => note.members), ...originalsOf(context.line, own)])
  const calls = foldedCalls(
    context,
    own.map((entry) => entry.index),
  )
  const common = {
    members: [...members].sort((left, right) => left - right),
    calls: once([...earlier.flatMap((note) => note.calls), ...calls], callName),
  }
  if (summary?.type === 'written') {
    const words = wordsOf(context, unread)
    return { ...common, summary: summary.text, ...(words.length > 0 ? { words } : {}) }
  }
  // What was written before must not be lost because nothing could be written now.
  const kept = earlier.flatMap((note) => note.summary ?? []).join('\n\n')
  const words = [...earlier.flatMap((note) => note.words ?? []), ...wordsOf(context, own)]
  return {
    ...common,
    ...(kept === '' ? {} : { summary: kept }),
    words: once(words, ({ index }) => `${index}`),
  }
}

/** Notes of a span, but for what another note holds by now that may stay in the view. */
function notesTakenOver({ line }: StageContext, span: readonly Entry[]): readonly NoteProvenance[] {
  const holders = noteHolders(line)
  return span.flatMap(({ index: own, note }) => {
    if (note === undefined) return []
    const holds = (index: number): boolean => (holders.get(index) ?? own) === own
    return {
      ...note,
      members: note.members.filter(holds),
      calls: note.calls.filter((call) => holds(entryOf(call))),
      ...(note.words ? { words: note.words.filter(({ index }) => holds(index)) } : {}),
    }
  })
}

function withoutNotes(span: readonly Entry[]): readonly Entry[] {
  return span.filter((entry) => entry.note === undefined)
}

function wordsOf(context: StageContext, entries: readonly Entry[]): readonly FoldedWords[] {
  return entries.flatMap((entry) => {
    const { index, kind } = entry
    if (kind !== 'instruction' && kind !== 'answer') return []
    const text = draftOf(context, entry)?.text.trim() ?? ''
    return text === '' ? [] : [{ index, kind, preview: clipText(text, PREVIEW_LIMIT) }]
  })
}

/** What was folded, restored and folded again is listed once; two readings of one result are two calls. */
function callName(call: FoldedCall): string {
  return JSON.stringify([entryOf(call), call.function, call.arguments])
}

/** Each item once, in the order of the record. */
function once<Item extends { readonly index: number }>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): readonly Item[] {
  const byName = new Map(items.map((item) => [nameOf(item), item]))
  return [...byName.values()].sort((left, right) => left.index - right.index)
}
