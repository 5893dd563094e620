import { type Entry, type Line, listEntries } from './record.ts'
import { moveWindow } from './view.ts'

/**
 * A new line that shares its parent's record up to where the lists part (rules.md 6, "Lines"). Indexes of the
 * common part stay the same. A note or copy of the parent that stands for common entries only comes along under
 * an index of the child's; any other note gives its common entries back.
 */
export function forkLine(parent: Line, options: { readonly id: string; readonly listEntries: number }): Line {
  const end = listEntries(parent.record)[options.listEntries]?.index ?? parent.record.length
  // Lists part after a common beginning, so whatever front the parent's app had cut is there again.
  const rewound = moveWindow(parent, { from: 0, to: options.listEntries })
  const record: Entry[] = parent.record.slice(0, end)
  const isCommon = (index: number): boolean => index < end
  const view: number[] = []
  /** Child's index of what comes along under another one, by the parent's. */
  const renamed = new Map<number, number>()
  for (const index of rewound.view) {
    const made = parent.record[index]
    if (isCommon(index)) view.push(index)
    else if (made?.note || made?.copy) {
      view.push(record.length)
      renamed.set(index, record.length)
      record.push({ ...made, index: record.length })
    }
  }
  const inChild = (indexes: Iterable<number>): readonly number[] =>
    [...indexes].flatMap((index) => (isCommon(index) ? index : (renamed.get(index) ?? [])))
  return {
    id: options.id,
    parent: { lineId: parent.id, index: end },
    record,
    view,
    delivered: new Set(inChild(parent.delivered)),
    carried: inChild(parent.carried),
    window: rewound.window,
    pinned: new Set([...parent.pinned].filter(isCommon)),
    recovered: new Set([...parent.recovered].filter(isCommon)),
    ...(parent.firstRound?.members.every(isCommon) ? { firstRound: parent.firstRound } : {}),
  }
}
