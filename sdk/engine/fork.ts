import { type Entry, type Line, listEntries } from './record.ts'
import { moveWindow } from './view.ts'

/**
 * A new line that shares its parent's record up to where the lists part (rules.md 6, "Lines"). Indexes of the
 * common part stay the same. A note of the parent that stands for common entries only comes along under an
 * index of the child's; any other gives its common entries back.
 */
export function forkLine(parent: Line, options: { readonly id: string; readonly listEntries: number }): Line {
  const end = listEntries(parent.record)[options.listEntries]?.index ?? parent.record.length
  // Lists part after a common beginning, so whatever front the parent's app had cut is there again.
  const rewound = moveWindow(parent, { from: 0, to: options.listEntries })
  const record: Entry[] = parent.record.slice(0, end)
  const view: number[] = []
  for (const index of rewound.view) {
    if (index < end) {
      view.push(index)
      continue
    }
    const note = parent.record[index]
    if (note?.note === undefined) continue
    view.push(record.length)
    record.push({ ...note, index: record.length })
  }
  return {
    id: options.id,
    parent: { lineId: parent.id, index: end },
    record,
    view,
    delivered: new Set([...parent.delivered].filter((index) => index < end)),
    carried: parent.carried.filter((index) => index < end),
    window: rewound.window,
  }
}
