import { seeded } from './seeded.ts'

/** What went wrong with the light in a night, and when. */
export interface Trouble {
  readonly type: 'low' | 'smoking' | 'dark'
  /** Minutes after midnight; a night's late hours count on past 1440. */
  readonly from: number
  readonly to: number
  readonly cause: 'cold' | 'oil'
}

/** One day of the station's year and the night that follows it. */
export interface Day {
  readonly month: number
  readonly day: number
  /** Degrees Celsius at eight in the morning, and the lowest of the night. */
  readonly morning: number
  readonly low: number
  readonly wind: { readonly from: string; readonly force: number }
  /** Millimetres of mercury. */
  readonly barometer: number
  readonly sky: string
  /** Absent in the bright weeks, when the light is not lit. */
  readonly lamp?: {
    readonly lit: number
    readonly out: number
    readonly litres: number
    readonly barrel: number
  }
  readonly trouble?: Trouble
}

export const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
const winds = ['N.', 'N.E.', 'E.', 'S.E.', 'S.', 'S.W.', 'W.', 'N.W.'] as const

/** The barrel with water in it was open from the 3rd to the 24th of November. */
export const badBarrel = { number: 31, opened: 3, closed: 24 } as const

/** On the 29th of March the pump got a new leather, which no frost of that year could stiffen. */
export const newLeather = { month: 2, day: 29 } as const

/** The year 1911 at Skarvøy, from its first to its last day. Everything in the archive is told from it. */
export const year: readonly Day[] = makeYear()

export function daysOf(month: number): readonly Day[] {
  return year.filter((day) => day.month === month)
}

export function troubledDays(): readonly (Day & { readonly trouble: Trouble })[] {
  return year.flatMap((day) => (day.trouble ? [{ ...day, trouble: day.trouble }] : []))
}

function makeYear(): readonly Day[] {
  const random = seeded(1911)
  const days: Day[] = []
  let spell = 0
  let pressure = 0
  let quarter = random.between(0, 7)
  for (const [month, length] of lengths.entries()) {
    for (let day = 1; day <= length; day++) {
      const ofYear = days.length
      spell = spell * 0.82 + (random.next() - 0.5) * 5.2
      pressure = pressure * 0.7 + (random.next() - 0.5) * 16
      if (random.next() < 0.45) quarter = (quarter + random.between(7, 9)) % 8
      const mean = 5.2 - 9.2 * Math.cos((2 * Math.PI * (ofYear - 34)) / 365)
      const morning = Math.round(mean + spell)
      const low = Math.round(mean + spell - 2.5 - random.next() * 3)
      const autumn = month === 10 ? 1.5 : 0
      const force = Math.max(
        0,
        Math.min(10, Math.round(4 + autumn - pressure / 3.2 + (random.next() - 0.5) * 3)),
      )
      const barometer = Math.round(757 + pressure)
      const weather = {
        month,
        day,
        morning,
        low,
        wind: { from: winds[quarter] ?? 'N.', force },
        barometer,
        sky: skyOf(barometer, morning, random.next()),
      }
      const lamp = lampOf(ofYear, month, day)
      const trouble = lamp && troubleOf(weather, random.next(), random.next())
      days.push({ ...weather, ...(lamp && { lamp }), ...(trouble && { trouble }) })
    }
  }
  return days
}

function skyOf(barometer: number, morning: number, chance: number): string {
  if (barometer >= 766) return chance < 0.7 ? 'clear' : 'clear, with a haze at sea'
  if (barometer >= 757) return chance < 0.5 ? 'broken cloud' : 'overcast'
  const falling = morning <= 0 ? 'snow' : 'rain'
  return chance < 0.3
    ? `${falling} squalls`
    : chance < 0.7
      ? `overcast, ${falling} at times`
      : `steady ${falling}`
}

/** The light is not lit from 12 May to 2 August. */
function lampOf(ofYear: number, month: number, day: number): Day['lamp'] {
  if ((month === 4 && day >= 12) || month === 5 || month === 6 || (month === 7 && day <= 2)) return undefined
  const daylight = 12 + 7.4 * Math.sin((2 * Math.PI * (ofYear - 80)) / 365)
  const lit = Math.round((12 + daylight / 2) * 60)
  const out = Math.round((36 - daylight / 2) * 60)
  const litres = Math.round(((out - lit) / 60) * 0.43 * 10) / 10
  return { lit, out, litres, barrel: barrelOf(month, day) }
}

function barrelOf(month: number, day: number): number {
  if (month === 10 && day >= badBarrel.opened) return day <= badBarrel.closed ? badBarrel.number : 32
  if (month > 10) return 33
  return 22 + Math.floor((month * 30 + day) / 40)
}

/** The leather of the pump stiffens in hard frost; wet oil smokes when the draught is strong. */
function troubleOf(weather: Day, start: number, length: number): Trouble | undefined {
  const from = 1380 + Math.round(start * 240)
  const to = from + 25 + Math.round(length * 130)
  const oldLeather =
    weather.month < newLeather.month || (weather.month === newLeather.month && weather.day < newLeather.day)
  if (oldLeather && weather.low <= -13) return { type: 'dark', from, to, cause: 'cold' }
  if (oldLeather && weather.low <= -11) return { type: 'low', from, to, cause: 'cold' }
  const wet = weather.month === 10 && weather.day >= badBarrel.opened && weather.day <= badBarrel.closed
  if (!wet || weather.wind.force < 7) return undefined
  return { type: weather.wind.force >= 9 ? 'dark' : 'smoking', from, to, cause: 'oil' }
}
