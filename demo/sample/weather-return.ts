import { signed } from './keepers-log.ts'
import { seeded } from './seeded.ts'
import { daysOf, months } from './year.ts'

/** The monthly return to the weather office. */
export function weatherReturn(month: number): string {
  const random = seeded(700 + month)
  const rows = daysOf(month).map((day) => {
    const noon = day.morning + random.between(1, 4)
    const evening = Math.max(day.low, day.morning - random.between(0, 2))
    return [
      String(day.day).padStart(2),
      signed(day.morning).padStart(5),
      signed(noon).padStart(5),
      signed(evening).padStart(5),
      signed(day.low).padStart(6),
      `${day.wind.from} ${day.wind.force}`.padStart(8),
      String(day.barometer).padStart(7),
    ].join(' |')
  })
  const lows = daysOf(month).map(({ low }) => low)
  return [
    `Skarvøy. Weather return for ${months[month]} 1911. Degrees Celsius; the index error of −0.4° is not applied.`,
    'Day|   8h |  14h |  20h | lowest |   wind  | bar. mm',
    ...rows,
    `Lowest of the month ${signed(Math.min(...lows))}. Nights at −11° or below: ${lows.filter((low) => low <= -11).length}.`,
  ].join('\n')
}
