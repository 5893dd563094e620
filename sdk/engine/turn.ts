import type { Warning } from './format.ts'
import type { PartSize, RefusalReason } from './journal.ts'
import { taskOf } from './keep.ts'
import type { Line } from './record.ts'

/** What a refusal said, to be said again for as long as it stands (R52). */
export interface Refusal {
  readonly requestId: string
  readonly estimate: number
  readonly ceiling: number | null
  readonly counted: number
  readonly scale: number
  /** Largest first. */
  readonly largestParts: readonly PartSize[]
  readonly reason: RefusalReason
  /** What kept it from being made smaller; absent where nothing is to be said. */
  readonly warnings?: readonly Warning[]
}

/** What is kept of the current turn of a line: one instruction and the rounds that follow it. */
export interface TurnState {
  /** Record index of the instruction. */
  readonly task: number
  /** Further folds that were taken of those that a turn may have (R60). */
  readonly resumptions: number
  readonly refusal?: {
    readonly first: Refusal
    /** Names the policy, model, ceiling and run that it was refused under. */
    readonly asked: string
    /** Entries that the app's list held then: a shorter list ends it. */
    readonly listEntries: number
  }
}

/** Resumptions that one turn may have (R60). */
const RESUMPTIONS = 2

/** The state of the turn that a line is in; another one where a new instruction began it. */
export function turnOf(line: Line, known: TurnState | null): TurnState {
  const task = taskOf(line)
  return known?.task === task ? known : { task, resumptions: 0 }
}

export function resumptionsLeft(turn: TurnState): number {
  return RESUMPTIONS - turn.resumptions
}

/**
 * The refusal that stands for a list (rules.md 6, "Refusal"): the first one of the turn, until a new
 * instruction, a shorter list, or another policy, model, ceiling or run. An edited list is another line.
 */
export function standingRefusal(turn: TurnState, line: Line, asked: string): Refusal | null {
  const { refusal } = turn
  if (refusal === undefined || refusal.asked !== asked) return null
  return heldEntries(line) < refusal.listEntries ? null : refusal.first
}

/**
 * The state of the turn after a request. The first refusal stays as it was for as long as it stands; one that a
 * request has ended does not come back.
 */
export function turnAfter(
  turn: TurnState,
  request: {
    readonly line: Line
    readonly resumptions: number
    /** Of this request, or the first one that stands for it. */
    readonly refusal: Refusal | null
    readonly asked: string
  },
): TurnState {
  const { line, refusal, asked } = request
  const resumptions = turn.resumptions + request.resumptions
  if (refusal === null) return { task: turn.task, resumptions }
  const known = turn.refusal?.first === refusal ? turn.refusal : null
  return {
    task: turn.task,
    resumptions,
    refusal: known ?? { first: refusal, asked, listEntries: heldEntries(line) },
  }
}

function heldEntries({ window }: Line): number {
  return window.to - window.from
}
