import { remarksFor } from './remarks.ts'
import { type Seeded, seeded } from './seeded.ts'
import { badBarrel, type Day, daysOf, months, newLeather } from './year.ts'

/** One month of the keeper's log, an entry for every day. */
export function keepersLog(month: number): string {
  const random = seeded(500 + month)
  const earlier = new Set<string>()
  const entries = daysOf(month).map((day) => entry(day, random, earlier))
  return [
    `Skarvøy light station. Keeper's log, ${months[month]} 1911. Kept by Aslak Tvedt.`,
    ...entries,
  ].join('\n\n')
}

export function signed(degrees: number): string {
  return `${degrees < 0 ? '−' : degrees > 0 ? '+' : ''}${Math.abs(degrees)}°`
}

export function clock(minutes: number): string {
  const hour = Math.floor(minutes / 60) % 24
  return `${String(hour).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
}

function entry(day: Day, random: Seeded, earlier: Set<string>): string {
  const readings =
    `${day.day} ${months[day.month]}. Wind ${day.wind.from} ${day.wind.force}. Bar. ${day.barometer} mm. ` +
    `Therm. ${signed(day.morning)} at 8, lowest ${signed(day.low)}. Sky: ${day.sky}.`
  const remarks = remarksFor(day, random, earlier)
  return [readings, lampLine(day), ...eventsOf(day), troubleLine(day), ...remarks].filter(Boolean).join(' ')
}

function lampLine({ lamp }: Day): string {
  if (!lamp) return 'Light not shown, by the summer order.'
  return `Lit ${clock(lamp.lit)}, out ${clock(lamp.out)}. Oil ${lamp.litres.toFixed(1)} l from barrel ${lamp.barrel}.`
}

function eventsOf({ month, day }: Day): string[] {
  if (month === newLeather.month && day === newLeather.day)
    return [
      'Fitted the new pump leather from Lenoir; it is greased with tallow and neatsfoot oil and moves in the cold like butter.',
    ]
  if (month === 10 && day === badBarrel.opened)
    return [`Opened barrel ${badBarrel.number}, from the October delivery.`]
  if (month === 10 && day === badBarrel.closed + 1)
    return [
      `Closed barrel ${badBarrel.number} for good and opened 32. There was near a hand of water below the oil when we sounded it.`,
    ]
  return []
}

function troubleLine({ trouble, low }: Day): string {
  if (!trouble) return ''
  const when = `from ${clock(trouble.from)} to ${clock(trouble.to)}`
  if (trouble.cause === 'cold')
    return trouble.type === 'dark'
      ? `LIGHT OUT ${when}. The pump leather was stiff as wood at ${signed(low)}; pressure fell to nothing. Warmed it at the stove and relit.`
      : `Light low ${when}; pressure down to 1.6 kg with the leather stiff in the frost.`
  return trouble.type === 'dark'
    ? `LIGHT OUT ${when}. The burner spat and drowned; water in the oil. Changed burner and mantle.`
    : `Light smoking ${when}; the flame yellow and spitting, ${trouble.to - trouble.from} minutes until the burner was changed.`
}
