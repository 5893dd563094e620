import { clock, signed } from './keepers-log.ts'
import { passagesOf } from './passages.ts'
import { list, read, type Script, search } from './script.ts'
import { type Day, daysOf, months, troubledDays } from './year.ts'

/** Which nights were troubled, and by what. */
export function findTheNights(script: Script): void {
  script.ask(
    'Hello! Our museum is making a wall panel about Skarvøy light. Please find every night of 1911 on which the light was low, smoking or out. Use the archive only, and say so where it is silent.',
  )
  script.look('I begin with the catalogue, to see what there is.', list())
  script.look('Before I read the log I want to know what its words mean.', read('regulations-reporting'))
  script.look(
    'Nights without any light are written in capitals, so a search finds them.',
    search('LIGHT OUT from'),
  )
  script.look('Low and smoking nights are not in capitals, so I read the log itself.', read('log-1911-01'))
  script.look('February.', read('log-1911-02'))
  script.look('March.', read('log-1911-03'))
  script.look('April and May, up to the summer order.', read('log-1911-04'), read('log-1911-05'))
  script.look(
    'The light is not shown in June and July; I look for entries all the same.',
    read('log-1911-06'),
    read('log-1911-07'),
  )
  script.look('August, lit again from the 3rd.', read('log-1911-08'))
  script.look('September.', read('log-1911-09'))
  script.look('October, when the new oil came.', read('log-1911-10'))
  script.look('November.', read('log-1911-11'))
  script.look('And December.', read('log-1911-12'))
  script.look('The night of 31 December runs into the new year. Is there a log for it?', read('log-1912-01'))
  const nights = troubledDays()
  script.answer(
    [
      `The log names ${nights.length} nights. Dates are those on which the watch began, as the regulations have it:`,
      ...nights.map(
        (day) =>
          `- ${dateOf(day)}: ${day.trouble.type}, ${clock(day.trouble.from)} to ${clock(day.trouble.to)}`,
      ),
      'The archive ends with 31 December; for the small hours of 1 January 1912 it is silent.',
    ].join('\n'),
  )
}

/** What the papers say about frost and oil. */
export function findTheCauses(script: Script): void {
  script.ask(
    'Thank you. They come in two clusters. Was it the cold, or something else? I need causes that are documented, not guesses.',
  )
  script.look('The makers’ directions should say how frost and bad oil look.', read('handbook-lamp'))
  script.look(
    'Now the temperatures of the first cluster.',
    read('weather-1911-01'),
    read('weather-1911-02'),
    read('weather-1911-03'),
  )
  script.look('An inspector came in the middle of it.', read('inspection-1911-02-20'))
  script.look('He blames the leather of the pump. Who else does?', search('leather', 30))
  script.look(
    'Letters out of the station and on to the makers.',
    read('letter-1911-01-17'),
    read('letter-1911-02-02'),
  )
  script.look('And the makers’ reply.', read('letter-1911-03-10'))
  script.look('Was the new leather inspected?', read('inspection-1911-06-14'))
  script.look('Now November. The handbook says wet oil; the log says barrel 31.', search('barrel 31', 40))
  script.look('The inspection after the complaint.', read('inspection-1911-11-26'))
  script.look('What did the merchant say to it?', read('letter-1911-11-29'), read('letter-1911-12-09'))
  script.look('The ledger should show the barrel coming and going.', read('stores-1911-q4'))
  script.look('The year’s account may look back on both.', read('letter-1911-12-31'))
  const cold = troubledDays().filter(({ trouble }) => trouble.cause === 'cold')
  const oil = troubledDays().filter(({ trouble }) => trouble.cause === 'oil')
  script.answer(
    `Two causes, and both are documented.\n\n${cold.length} nights from January to March: the pump’s leather, dressed with train oil, went stiff in the frost (handbook §3, inspection of 20 February, letter of 10 March). A leather dressed for frost was fitted on 29 March.\n\n${oil.length} nights in November: water in barrel 31, burned from the 3rd to the 24th, in strong wind only (handbook §6, inspection of 26 November). The merchant’s cooper had filled it wet (letter of 9 December).`,
  )
}

/** Whether the explanation holds on every night of the year, not only on the bad ones. */
export function testTheCauses(script: Script): void {
  script.ask(
    'Does that hold the other way round? Was there trouble on EVERY night of −11° or below, and never again after the new leather?',
  )
  script.look(
    'I need the nights without trouble too, so I take the weather month by month.',
    read('weather-1911-01'),
  )
  script.look('February.', read('weather-1911-02'))
  script.look(
    'March, on both sides of the 29th.',
    read('weather-1911-03'),
    search('Fitted the new pump leather'),
  )
  script.look('April, the last frost of the spring.', read('weather-1911-04'))
  script.look(
    'Autumn: frost before or during the bad barrel would confuse the two causes.',
    read('weather-1911-10'),
    read('weather-1911-11'),
  )
  script.look('December, which is the real test.', read('weather-1911-12'))
  const later = daysOf(11).filter(({ low }) => low <= -11)
  for (const day of later)
    script.look(`There is one: ${dateOf(day)}. What does the log have?`, search(`${dateOf(day)}. Wind`, 3))
  const hard = troubledDays().filter(({ trouble }) => trouble.cause === 'cold').length
  script.answer(
    `Yes, both ways. Before 29 March there were ${hard} nights at −11° or below, and all ${hard} are in the list of trouble. After it there was one, ${later.map(dateOf).join(', ')}, at ${later.map(({ low }) => signed(low)).join(', ')}, and the log has the light burning through. Tvedt says the same in his letter of 31 December. One such night is thin evidence, and I would write “held”, not “proved”.`,
  )
}

/** Who was at sea while the light failed. */
export function findTheShips(script: Script): void {
  script.ask('Which ships passed while the light was low or out? Did anybody complain?')
  script.look('The passage books of the two quarters.', read('passages-1911-q1'))
  script.look('And the last quarter.', read('passages-1911-q4'))
  script.look('A complaint is mentioned in the inspection.', read('letter-1911-11-17'))
  script.look('Are there others?', search('complain'), search('Havørn'))
  const met = [0, 3]
    .flatMap(passagesOf)
    .filter(({ day: { trouble }, at }) => trouble && at >= trouble.from && at <= trouble.to)
  for (const { day, ship } of met) {
    const month = String(day.month + 1).padStart(2, '0')
    script.look(
      `${nameOf(ship)}: I check the minute against the log.`,
      read(`log-1911-${month}`, day.day, day.day + 2),
      search(nameOf(ship), 8),
    )
  }
  script.answer(
    [
      'The passage books put these vessels off the island during a trouble:',
      ...met.map(
        ({ day, at, ship }) => `- ${dateOf(day)}, ${clock(at)}: ${ship} (light ${day.trouble?.type})`,
      ),
      'Only the master of S/S Havørn wrote. He asked for a reason, not for a punishment.',
    ].join('\n'),
  )
}

function nameOf(ship: string): string {
  return ship.split(',')[0] ?? ship
}

function dateOf({ day, month }: Day): string {
  return `${day} ${months[month]}`
}
