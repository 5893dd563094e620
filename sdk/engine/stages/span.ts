import type { Entry } from '../record.ts'
import { isKept, type StageContext, wasRead } from './stage.ts'

/** What may leave before a position of the view: whole rounds that were read, single messages that were, and notes. */
export function spanBefore(context: StageContext, end: number): readonly Entry[] {
  const { line, from } = context
  const reach = new Set(line.view.slice(from, end))
  const entries = line.view.flatMap((index) => {
    const entry = line.record[index]
    return entry === undefined || entry.kind === 'system' ? [] : [entry]
  })
  const stays = (entry: Entry): boolean =>
    !reach.has(entry.index) ||
    isKept(context, entry.index) ||
    (entry.note === undefined && !wasRead(line, entry.index))
  const staying = new Set(entries.filter(stays).map(({ round }) => round))
  return entries.filter((entry) => !stays(entry) && (entry.round < 0 || !staying.has(entry.round)))
}
