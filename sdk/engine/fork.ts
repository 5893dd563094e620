import { type Entry, type Line, listEntries } from './record.ts'
import { moveWindow } from './view.ts'

/**
 * A new line that shares its parent's record up to where the lists part (rules.md 6, "Lines"). Indexes of the
 * common part stay the same. A note or copy of the parent that stands for common entries only comes along under
 * an index of the child's; any other note gives its common entries back.
 */
export function forkLine(
  parent: Line,
  options: {
    readonly id: string
    /** What the lists have in common; a front that the app cut stays out of the view, and in the record. */
    readonly window: Line['window']
  },
): Line {
  const end = listEntries(parent.record)[options.window.to]?.index ?? parent.record.length
  const rewound = moveWindow(parent, options.window)
  const record: Entry[] = parent.record.slice(0, end)
  const isCommon = (index: number): boolean => index < end
  /** Child's index of what comes along under another one, by the parent's. */
  const renamed = new Map<number, number>()
  // In the order of the record, so that the newest of several notes stays the newest.
  for (const index of [...rewound.view].sort((left, right) => left - right)) {
    const made = parent.record[index]
    if (isCommon(index) || (!made?.note && !made?.copy)) continue
    renamed.set(index, record.length)
    record.push({ ...made, index: record.length })
  }
  const inChild = (indexes: Iterable<number>): readonly number[] =>
    [...indexes].flatMap((index) => (isCommon(index) ? index : (renamed.get(index) ?? [])))
  return {
    id: options.id,
    parent: { lineId: parent.id, index: end },
    record,
    view: inChild(rewound.view),
    delivered: new Set(inChild(parent.delivered)),
    carried: inChild(parent.carried),
    window: rewound.window,
    pinned: new Set(inChild(parent.pinned)),
    recovered: new Set(inChild(parent.recovered)),
    ...(parent.firstRound?.members.every(isCommon) ? { firstRound: parent.firstRound } : {}),
  }
}
