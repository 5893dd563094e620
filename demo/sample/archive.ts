import { keepersLog } from './keepers-log.ts'
import { letters } from './letters.ts'
import { papers } from './papers.ts'
import { passageBook } from './passages.ts'
import { storesLedger } from './stores.ts'
import { weatherReturn } from './weather-return.ts'
import { months } from './year.ts'

/** A document of the made-up archive of Skarvøy light station. */
export interface ArchiveDocument {
  readonly id: string
  readonly title: string
  readonly lines: readonly string[]
}

/** Everything that was kept of the year 1911, in the order of the catalogue. */
export function makeArchive(): readonly ArchiveDocument[] {
  const monthly = months.flatMap((name, month) => {
    const number = String(month + 1).padStart(2, '0')
    return [
      document(`log-1911-${number}`, `Keeper's log, ${name} 1911`, keepersLog(month)),
      document(`weather-1911-${number}`, `Weather return, ${name} 1911`, weatherReturn(month)),
    ]
  })
  const quarterly = [0, 1, 2, 3].flatMap((quarter) => [
    document(
      `stores-1911-q${quarter + 1}`,
      `Stores ledger, quarter ${quarter + 1} of 1911`,
      storesLedger(quarter),
    ),
    document(
      `passages-1911-q${quarter + 1}`,
      `Vessels passed, quarter ${quarter + 1} of 1911`,
      passageBook(quarter),
    ),
  ])
  const single = [...papers, ...letters].map(({ id, title, text }) => document(id, title, text))
  return [...monthly, ...quarterly, ...single]
}

function document(id: string, title: string, text: string): ArchiveDocument {
  return { id, title, lines: text.split('\n').filter((line) => line !== '') }
}
