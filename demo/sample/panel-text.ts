import { list, read, type Script, search } from './script.ts'
import { daysOf, months } from './year.ts'

/** The oil of the year by log and by ledger. */
export function reckonTheOil(script: Script): void {
  script.ask(
    'For a small chart: how much oil was burned in each month? Regulation 7 says that log and ledger may differ by two in the hundred – do they?',
  )
  script.look('The rule itself first.', search('two in the hundred'))
  for (const quarter of [1, 2, 3, 4])
    script.look(`Ledger, quarter ${quarter}.`, read(`stores-1911-q${quarter}`))
  script.look(
    'Now the nightly figures of the log again, two months at a time.',
    read('log-1911-01'),
    read('log-1911-02'),
  )
  script.look('March and April.', read('log-1911-03'), read('log-1911-04'))
  script.look('May, and August after the bright weeks.', read('log-1911-05', 1, 13), read('log-1911-08'))
  script.look('September and October.', read('log-1911-09'), read('log-1911-10'))
  script.look('November and December.', read('log-1911-11'), read('log-1911-12'))
  const sums = months.map((name, month) => {
    const litres = daysOf(month).reduce((sum, { lamp }) => sum + (lamp?.litres ?? 0), 0)
    return `- ${name}: ${litres === 0 ? 'not lit' : `${litres.toFixed(1)} l`}`
  })
  script.answer(
    [
      'By the log:',
      ...sums,
      'The ledger enters the same nights by weeks and agrees with each of these sums, so the rule was kept. The rest of barrel 31 was condemned, not burned; leave it out of the chart.',
    ].join('\n'),
  )
}

/** What all that oil and frost cost in mantles. */
export function countTheMantles(script: Script): void {
  script.ask('And the mantles? The inspector found they were used up faster than elsewhere.')
  script.look('His remark, word for word.', search('Kvitholmen'))
  script.look('Every movement of mantles in the ledger.', search('| Mantles |', 60))
  script.look(
    'The nine of November have a reason of their own.',
    read('stores-1911-q4', 15, 30),
    search('mantle', 12),
  )
  script.answer(
    'The ledger has breakages in nearly every week with light, one or two at a time. The nine of November stand apart: they were spoilt by wet oil, and the district made the merchant replace them with two dozen. The keeper gave the draught of the high lantern as the reason for the rest. For Kvitholmen the archive holds no ledger, so the comparison rests on the inspector’s word.',
  )
}

/** The text that the whole investigation was for. */
export function writeThePanel(script: Script): void {
  script.ask(
    'Now the panel: about 120 words, plain, and with Tvedt’s own entry for 15 November quoted exactly as it stands.',
  )
  script.look('I take the entry from the log, not from memory.', read('log-1911-11', 16, 16))
  script.look('Two more sources that I mean to use.', read('letter-1911-12-31'), read('letter-1911-11-17'))
  script.look('And the dates of the barrel once more.', search('barrel 31, from'), search('31 for good'))
  script.answer(
    `**The winter the light went out**\n\nIn 1911 Skarvøy light failed on sixteen nights. In January, February and March it was the frost: the leather of the lamp’s pump froze stiff, and Aslak Tvedt carried it down ninety steps to the stove and up again. A leather dressed in tallow came from Paris, and the trouble was over.\n\nThen came November, and a barrel with water in it. On the 15th, in a whole gale, S/S Havørn with sixty-one passengers lost the light for thirty-eight minutes. The log says:\n\n> ${script.quote('log-1911-11', '15 November.')}\n\nHer master asked only what the matter was. At Christmas he sent a cheese.`,
  )
  script.ask('Lovely 👍 – but “ninety steps”? Where is that from?')
  script.look('I should have a source for that.', search('steps'))
  script.look('Treads and stairs go by other names too.', search('stair'), search('ninety'))
  script.answer(
    'From nowhere: the archive does not give the number of steps. I am sorry. Please write “carried it down to the stove and up again”. Everything else in the text has its source.',
  )
  script.ask(
    'Good that I asked. Last thing: the French sentence about the leather, with a translation, for the caption. And the list of sources.',
  )
  script.look('The letter of 10 March.', read('letter-1911-03-10', 3, 8))
  script.look(
    'And the catalogue for the exact titles.',
    list('letter'),
    list('inspection'),
    list('log-1911-11'),
  )
  script.answer(
    '« Elle n’est pas usée ; elle est gelée. » – “It is not worn out; it is frozen.” (É. Lenoir, 10 March 1911.)\n\nSources: the keeper’s log for January to March, November and December; the weather returns; the inspections of 20 February and 26 November; the letters of 10 March, 17 November, 9 and 31 December; the directions of Lenoir & Fils, §3 and §6; the passage book of the fourth quarter.',
  )
}
