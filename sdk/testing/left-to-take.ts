import type { MessagePreview } from '../branch.ts'
import type { ContextDecision } from '../engine/journal.ts'

export interface LeftToTakeOptions {
  /** Whole rounds, with calls or without, kept beyond the tail. */
  readonly margin: number
  /** The provider's cache is placed: nothing before the newest note is taken, and nothing of the first round. */
  readonly placesMarks: boolean
  /** The provider wants the first round of a turn as it was. */
  readonly keepsTurnHead: boolean
  /** Of the request that was refused. */
  readonly decision: ContextDecision
}

/**
 * The rounds of a view, given in send order, that a fold could still take the calls and results of, told from
 * what anybody can see of a branch: read, outside the tail of two, and kept by nobody.
 */
export function roundsLeftToTake(
  view: readonly MessagePreview[],
  options: LeftToTakeOptions,
): readonly (readonly MessagePreview[])[] {
  const tail = new Set(view.filter(({ kind }) => kind !== 'note' && kind !== 'system').slice(-2))
  const old = roundsIn(view).filter(({ entries }) => !entries.some((entry) => tail.has(entry)))
  const margin = old.slice(Math.max(0, old.length - options.margin)).flatMap(({ entries }) => entries)
  const kept = new Set([...tail, ...margin])
  // A note that is no smaller than what it stands for is no gain.
  const tried = new Set(options.decision.trace.flatMap(rolledBack))
  return roundsWithinReach(view, options)
    .filter((round) => !round.some((entry) => kept.has(entry)))
    .filter((round) => !round.some(({ index }) => tried.has(index)))
    .filter((round) => round.every(({ kind, delivered }) => kind === 'answer' || delivered))
}

function rolledBack(step: ContextDecision['trace'][number]): readonly number[] {
  return step.type === 'stage' && step.outcome === 'rolled_back' ? step.indexes : []
}

/** Results, read or not, that a fold did not shorten although it could. A shortened one is a copy. */
export function resultsLeftToShorten(
  view: readonly MessagePreview[],
  options: LeftToTakeOptions & {
    /** Longest text of a result that may be shortened, in code points. */
    readonly longestBody: (index: number) => number
    /** The bound on such a text, which shortens it whatever the fold does; absent: none. */
    readonly maxChars?: number | undefined
  },
): readonly MessagePreview[] {
  const { longestBody, maxChars = Number.POSITIVE_INFINITY } = options
  return roundsWithinReach(view, options)
    .flat()
    .filter(({ kind, index }) => kind === 'result' && Math.min(maxChars, longestBody(index)) > SHORTENED)
}

/** A body above it is smaller with what is kept of it and the marker than whole, in characters and in tokens. */
const SHORTENED = 2000

interface SeenRound {
  readonly entries: MessagePreview[]
  /** It follows an instruction. */
  readonly opensTurn: boolean
  /** Position of its answer in the view. */
  readonly from: number
}

function roundsIn(view: readonly MessagePreview[]): readonly SeenRound[] {
  const rounds: SeenRound[] = []
  let previous: MessagePreview | undefined
  for (const [from, entry] of view.entries()) {
    const { kind } = entry
    if (kind === 'answer')
      rounds.push({ entries: [entry], opensTurn: previous?.kind === 'instruction', from })
    else if (kind === 'call' || kind === 'result' || kind === 'copy') rounds.at(-1)?.entries.push(entry)
    previous = entry
  }
  return rounds
}

/** Rounds that have calls or results, but for those that somebody keeps. */
function roundsWithinReach(
  view: readonly MessagePreview[],
  { placesMarks, keepsTurnHead }: LeftToTakeOptions,
): readonly (readonly MessagePreview[])[] {
  const reach = placesMarks ? view.findLastIndex(({ kind }) => kind === 'note') : -1
  const head = view.find(({ kind }) => kind !== 'system' && kind !== 'note')
  return roundsIn(view)
    .filter(({ from }, position) => from > reach && !(placesMarks && position === 0))
    .filter(({ opensTurn }) => !(keepsTurnHead && opensTurn))
    .map(({ entries }) => entries)
    .filter((entries) => entries.length > 1 && !entries.some((entry) => entry === head))
}
