import { appendMessages, placeSystem, type SystemSlot } from './append.ts'
import { forkLine } from './fork.ts'
import type { KnownMessage } from './intake.ts'
import { type Match, matchList, rememberList } from './matching.ts'
import { type Line, listEntries } from './record.ts'
import { moveWindow, withListEnd } from './view.ts'

export type Placement =
  | { readonly type: 'placed'; readonly line: Line; readonly forkedFrom?: string }
  /** The list shares nothing with the conversation: it is passed through and not recorded. */
  | { readonly type: 'foreign' }

/**
 * Finds the line that a list continues, and brings it to where the list is (rules.md 6, "Matching", "Lines").
 * The line that repeats most of the list wins; the first of equals, so the current line must come first.
 */
export function placeList(options: {
  readonly lines: readonly Line[]
  readonly messages: readonly KnownMessage[]
  /** System and developer messages of the request; null where it has none. */
  readonly system: SystemSlot | null
  /** Name of the line that a divergence would make. */
  readonly newLineId: string
}): Placement {
  const { messages, system, newLineId } = options
  const best = longestMatch(options.lines, messages)
  if (best === undefined) return { type: 'foreign' }
  const { line, match } = best
  const { type, window, knownMessages } = match
  const moved = type === 'forks' ? forkLine(line, { id: newLineId, window }) : moveWindow(line, window)
  const placed = withListEnd(appendMessages(placeSystem(moved, system), messages.slice(knownMessages)))
  if (type !== 'rewinds') rememberList(placed, messages)
  return { type: 'placed', line: placed, ...(type === 'forks' ? { forkedFrom: line.id } : {}) }
}

type Continued = Exclude<Match, { readonly type: 'foreign' }>

function longestMatch(
  lines: readonly Line[],
  messages: readonly KnownMessage[],
): { readonly line: Line; readonly match: Continued } | undefined {
  let best: { readonly line: Line; readonly match: Continued } | undefined
  let most = -1
  for (const line of lines) {
    const match = matchList(line, messages)
    if (match.type === 'foreign') continue
    const length = match.window.to - match.window.from
    if (length <= most) continue
    best = { line, match }
    most = length
  }
  return best
}

/** Record index of the first draft of each message of a placed list, in its order. */
export function messageOrder(line: Line, messages: readonly KnownMessage[]): readonly number[] {
  const list = listEntries(line.record)
  let ordinal = line.window.from
  return messages.map((message) => {
    const first = list[ordinal]?.index ?? -1
    ordinal += message.keys.length
    return first
  })
}
