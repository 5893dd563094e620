import { type Line, listEntries } from './record.ts'
import { insertByChronology } from './view.ts'

export type Restored =
  | { readonly type: 'restored'; readonly line: Line; readonly indexes: readonly number[] }
  | { readonly type: 'nothing'; readonly reason: string }

/**
 * Brings entries back into the view, in whole rounds, each in its own place (R118, R220). A note leaves when
 * all that it stands for is back. What comes back counts as unread, so that the next fold does not take it at
 * once (rules.md 6, "Restore").
 */
export function restoreEntries(line: Line, wanted: readonly number[]): Restored {
  const inList = new Set(
    listEntries(line.record)
      .slice(line.window.from, line.window.to)
      .map((entry) => entry.index),
  )
  const chosen = wanted.filter((index) => inList.has(index))
  if (chosen.length === 0)
    return {
      type: 'nothing',
      reason: 'no message in that range can be restored; getMessages lists their indexes',
    }
  const rounds = new Set(chosen.map((index) => line.record[index]?.round ?? -1).filter((round) => round >= 0))
  const inView = new Set(line.view)
  const indexes = [...inList].filter(
    (index) => !inView.has(index) && (chosen.includes(index) || rounds.has(line.record[index]?.round ?? -1)),
  )
  if (indexes.length === 0)
    return { type: 'nothing', reason: 'everything in that range is in the request already' }
  const back = new Set(insertByChronology(line, indexes))
  const view = [...back].filter((index) => {
    const note = line.record[index]?.note
    return note === undefined || !note.members.every((member) => back.has(member))
  })
  const unread = new Set(indexes)
  return {
    type: 'restored',
    line: {
      ...line,
      view,
      delivered: new Set([...line.delivered].filter((index) => !unread.has(index))),
      carried: line.carried.filter((index) => !unread.has(index)),
    },
    indexes,
  }
}

/** What a fold took out, by the note that it left; null where there is no such fold. */
export function foldMembers(line: Line, foldId: string): readonly number[] | null {
  const note = line.record.find((entry) => entry.note?.foldId === foldId)?.note
  return note ? note.members : null
}

/** The fold that each entry outside the view went with, where one took it; of several, the newest. */
export function foldsOfEntries(line: Line): ReadonlyMap<number, string> {
  const folds = new Map<number, string>()
  const inView = new Set(line.view)
  for (const { index, note } of line.record)
    if (note && inView.has(index))
      for (const member of note.members) if (!inView.has(member)) folds.set(member, note.foldId)
  return folds
}
