import { isObject } from './json.ts'
import { type Entry, type FirstRoundDecision, type Line, standsFor } from './record.ts'

export interface FirstRound {
  /** Record indexes of its entries, ascending; of a copy, the original's. */
  readonly members: readonly number[]
  /** Every call of it has its result. */
  readonly isWhole: boolean
}

/**
 * The conversation's first instruction, its answer and that answer's calls and results; it ends at the next
 * instruction, answer or note (R259). Null before the answer is there, and where a note follows the task: that
 * note stands for the round (R260).
 */
export function firstRoundOf(line: Line): FirstRound | null {
  const entries = line.view.flatMap((index): readonly Entry[] => {
    const entry = line.record[index]
    return entry === undefined || entry.kind === 'system' ? [] : [entry]
  })
  const start = entries.findIndex((entry) => entry.kind === 'instruction')
  const instruction = entries[start]
  const answer = entries[start + 1]
  if (instruction === undefined || answer?.kind !== 'answer') return null
  const members = [instruction, answer]
  for (const entry of entries.slice(start + 2)) {
    if (entry.kind === 'instruction' || entry.kind === 'answer' || entry.note) break
    members.push(entry)
  }
  const calls = members.filter((entry) => entry.kind === 'call').length
  const results = members.filter((entry) => entry.kind === 'result' || entry.kind === 'copy').length
  return {
    members: members.map((entry) => standsFor(line.record, entry.index)),
    isWhole: results >= calls,
  }
}

/**
 * Entries of a first round that no stage takes or shortens while the provider's cache is placed: of one that is
 * not decided yet, and of an included one for as long as its members stand in the view (R266, R275, R282).
 */
export function protectedMembers(line: Line): readonly number[] {
  if (line.firstRound) return line.firstRound.included ? line.firstRound.members : []
  return firstRoundOf(line)?.members ?? []
}

/** A stored decision, or nothing where it is not one about this record: then it is made again (R269). */
export function storedFirstRound(value: unknown, record: readonly Entry[]): FirstRoundDecision | undefined {
  if (!isObject(value) || !isObject(value.scale) || !Array.isArray(value.members)) return undefined
  const { included, members, hash, ceiling, budget, counted, scale, maxChars, projectionVersion, at } = value
  const numbers = [ceiling, budget, counted, scale.reported, scale.counted, projectionVersion, at]
  const isSound =
    typeof included === 'boolean' &&
    typeof hash === 'string' &&
    typeof value.requestId === 'string' &&
    (maxChars === null || isNatural(maxChars)) &&
    numbers.every(isNatural) &&
    members.length >= 2 &&
    members.every(
      (index, position) => isNatural(index) && index < record.length && index > (members[position - 1] ?? -1),
    )
  // Every field was looked at.
  return isSound ? (value as unknown as FirstRoundDecision) : undefined
}

function isNatural(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0
}
