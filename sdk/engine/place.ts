import { appendMessages, placeSystem, type SystemSlot } from './append.ts'
import { forkLine } from './fork.ts'
import type { KnownMessage } from './intake.ts'
import { commonEntries, matchList, rememberList } from './matching.ts'
import { type Line, listEntries } from './record.ts'
import { moveWindow, withListEnd } from './view.ts'

export type Placement =
  | { readonly type: 'placed'; readonly line: Line; readonly forkedFrom?: string }
  /** The list shares nothing with the conversation: it is passed through and not recorded. */
  | { readonly type: 'foreign' }

/**
 * Finds the line that a list continues, and brings it to where the list is (rules.md 6, "Matching", "Lines").
 * The line with the longest common beginning wins; the first of equals, so the current line must come first.
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
  const goOn = (moved: Line, known: number): Line =>
    withListEnd(appendMessages(placeSystem(moved, system), messages.slice(known)))
  const line = longestMatch(options.lines, messages)
  if (line === undefined) return { type: 'foreign' }
  const match = matchList(line, messages)
  switch (match.type) {
    case 'extends': {
      const moved = moveWindow(line, { from: 0, to: listEntries(line.record).length })
      const extended = goOn(moved, match.knownMessages)
      rememberList(extended, messages)
      return { type: 'placed', line: extended }
    }
    case 'rewinds':
      return {
        type: 'placed',
        line: withListEnd(placeSystem(moveWindow(line, { from: 0, to: match.listEntries }), system)),
      }
    case 'cut': {
      const moved = moveWindow(line, { from: match.from, to: listEntries(line.record).length })
      return { type: 'placed', line: goOn(moved, match.knownMessages) }
    }
    case 'forks': {
      const child = forkLine(line, { id: newLineId, listEntries: match.listEntries })
      return { type: 'placed', line: goOn(child, match.knownMessages), forkedFrom: line.id }
    }
    case 'foreign':
      return match
  }
}

function longestMatch(lines: readonly Line[], messages: readonly KnownMessage[]): Line | undefined {
  let best: Line | undefined
  let most = -1
  for (const line of lines) {
    const common = commonEntries(line, messages)
    if (common > most) {
      best = line
      most = common
    }
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
