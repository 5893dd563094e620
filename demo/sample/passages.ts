import { clock } from './keepers-log.ts'
import { seeded } from './seeded.ts'
import { type Day, months, year } from './year.ts'

/** A vessel that the watch wrote down. */
export interface Passage {
  readonly day: Day
  /** Minutes after midnight, counting on past 1440 in the small hours of the same watch. */
  readonly at: number
  readonly ship: string
}

const ships = [
  'S/S Vestvind, Bergen, general cargo, north',
  'Brig Havbris, Arendal, in ballast, south',
  'S/S Kong Ring, mail, north',
  'Barque Kaisei Maru (海星丸), Kobe, timber, south',
  'Ketch Três Irmãos, Viana, salt, north',
  'Schooner Elbefalke, Brake, coal, north',
  'S/S Łabędź, Danzig, herring, south',
  'Smack Anna Sofie, of this coast, herring, north',
  'S/S Glenorra, Leith, coal, north',
  'Full-rigged ship Aurora, Åbo, deals, south',
  'Galeas Fremad, of this coast, lime, south',
  'S/S Polstjärnan, Göteborg, iron, north',
] as const

/** Vessels past the station in a quarter, in the order of the watch book. */
export function passagesOf(quarter: number): readonly Passage[] {
  const random = seeded(900 + quarter)
  return year
    .filter(({ month }) => Math.floor(month / 3) === quarter)
    .flatMap((day) => {
      const seen: Passage[] = Array.from({ length: random.between(1, 3) }, () => ({
        day,
        at: random.between(380, 1760),
        ship: random.pick(ships),
      }))
      if (day.trouble?.type === 'dark' && day.trouble.cause === 'oil')
        seen.push({ day, at: day.trouble.from + 21, ship: 'S/S Havørn, Kristiansund, passengers, north' })
      return seen.sort((left, right) => left.at - right.at)
    })
}

export function passageBook(quarter: number): string {
  const lines = passagesOf(quarter).map(({ day, at, ship }) => {
    const night = at >= 1440 ? ' (night)' : ''
    return `${day.day} ${months[day.month]} ${clock(at)}${night}: ${ship}. Wind ${day.wind.from} ${day.wind.force}, ${day.sky}.`
  })
  return [
    `Skarvøy. Vessels passed, quarter ${quarter + 1} of 1911. Times marked (night) belong to the watch that began on that date.`,
    ...lines,
  ].join('\n')
}
