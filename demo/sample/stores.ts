import { seeded } from './seeded.ts'
import { badBarrel, daysOf, months, newLeather } from './year.ts'

interface Movement {
  readonly month: number
  readonly day: number
  readonly article: string
  /** Litres or pieces that came in; negative where they went out. */
  readonly change: number
  readonly note: string
}

const barrel = 250
const opening = new Map([
  ['Lamp oil', 790],
  ['Mantles', 40],
  ['Pump leather', 0],
])

/** Stores of a quarter, with the balance after every movement of the year. */
export function storesLedger(quarter: number): string {
  const balance = new Map(opening)
  const lines = movementsOfTheYear().map(({ month, day, article, change, note }) => {
    const left = (balance.get(article) ?? 60) + change
    balance.set(article, left)
    const amount = amountOf(article, Math.abs(change))
    const columns = change > 0 ? `${amount} |` : `| ${amount}`
    const text = `${day} ${months[month]} | ${article} | ${columns} | ${amountOf(article, left)} | ${note}`
    return { quarter: Math.floor(month / 3), text }
  })
  return [
    `Skarvøy. Stores ledger, quarter ${quarter + 1} of 1911. Litres, or pieces.`,
    'Date | Article | In | Out | Left | Note',
    ...lines.filter((line) => line.quarter === quarter).map((line) => line.text),
  ].join('\n')
}

/** Litres that were still in the condemned barrel. */
export function restOfBadBarrel(): number {
  const burned = daysOf(10).reduce(
    (sum, { lamp }) => sum + (lamp?.barrel === badBarrel.number ? lamp.litres : 0),
    0,
  )
  return barrel - burned
}

function amountOf(article: string, amount: number): string {
  return article === 'Lamp oil' ? amount.toFixed(1) : String(amount)
}

function movementsOfTheYear(): readonly Movement[] {
  const oil = (month: number, day: number, barrels: string, count: number): Movement => ({
    month,
    day,
    article: 'Lamp oil',
    change: count * barrel,
    note: `${barrels}, ${barrel} l each, by S/S Vestvind`,
  })
  const mantles = (month: number, day: number): Movement => ({
    month,
    day,
    article: 'Mantles',
    change: 24,
    note: 'Box of two dozen from the district',
  })
  const known: Movement[] = [
    oil(3, 22, 'Barrels 26 and 27', 2),
    oil(6, 11, 'Barrels 28 and 29', 2),
    oil(9, 18, 'Barrels 30 to 33', 4),
    ...[2, 8, 9, 11].map((month) => mantles(month, 5)),
    { ...newLeather, day: newLeather.day - 2, article: 'Pump leather', change: 2, note: 'Parcel from Paris' },
    { ...newLeather, article: 'Pump leather', change: -1, note: 'Fitted; one kept as spare, in tallow' },
    {
      month: 10,
      day: badBarrel.closed + 1,
      article: 'Lamp oil',
      change: -restOfBadBarrel(),
      note: `Rest of barrel ${badBarrel.number} condemned, water; stands sealed for the inspector`,
    },
    { month: 10, day: 17, article: 'Mantles', change: -9, note: 'Spoilt by wet oil, 12th to 16th' },
  ]
  const weekly = months.flatMap((_, month) => weeksOf(month))
  return [...known, ...weekly].sort((left, right) => left.month - right.month || left.day - right.day)
}

const small = [
  'Wick for pilot lamp',
  'Spirit, bottles',
  'Linen cloths',
  'Lamp glass',
  'Polishing red, tins',
  'Clock oil, vials',
  'Signal flares',
  'Putty, pounds',
] as const
const breakages = [
  'Broken in the lifting',
  'Burned through',
  'Torn by the draught',
  'Cracked at the ring',
] as const
const purposes = ['Lantern', 'Watch room', 'Gallery', 'Issued to Bøe', 'Clockwork', 'As every week'] as const

/** What was used in the four weeks of a month, written down at the end of each. */
function weeksOf(month: number): readonly Movement[] {
  const random = seeded(300 + month)
  return [1, 8, 15, 22].flatMap((first) => {
    const week = daysOf(month).filter(({ day }) => day >= first && (first === 22 || day < first + 7))
    const day = Math.max(...week.map((date) => date.day))
    const litres = week.reduce((sum, { lamp }) => sum + (lamp?.litres ?? 0), 0)
    const broken = litres > 0 ? random.between(0, 2) : 0
    const movements: Movement[] = [
      { month, day, article: 'Lamp oil', change: -litres, note: "Week's burning" },
      { month, day, article: 'Mantles', change: -broken, note: random.pick(breakages) },
      { month, day, article: random.pick(small), change: -random.between(1, 2), note: random.pick(purposes) },
    ]
    return movements.filter(({ change }) => change < 0)
  })
}
