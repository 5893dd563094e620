import type { Seeded } from './seeded.ts'
import type { Day } from './year.ts'

type Phrases = readonly [string, ...string[]]

/** `{n}` is a small number, `{name}` somebody of the station, `{place}` a spot on the island. */
const names: Phrases = ['Bøe', 'young Ingrid', 'the assistant', 'the boy from Nordgård']
const places: Phrases = [
  'the landing',
  'the oil store',
  'the east stair',
  'the boathouse',
  'the well',
  'the signal mast',
]

const anySeason: Phrases = [
  'Wound the clockwork at ten and again at four; it ran true both times.',
  'Lens washed with spirit and dried with the old linen, {n} panels on the land side as well.',
  'Levelled the burner; the new mantle burned off evenly and has a good shape.',
  '{name} took the watch from midnight.',
  'Copied {n} passages into the fair book.',
  'Entered the stores; the tally of wicks and mantles agrees with the ledger.',
  'The mail boat could not lie at the landing and took the bag off by the line.',
  'Mail boat in at noon: newspapers, two letters, a sack of meal, and the clock oil I had asked for.',
  'Swept the lantern room and the {n} upper steps.',
  'Tested the fog bell by hand, {n} strokes; the hammer wants a new leather before long.',
  'Brass of the lantern polished. The salt takes it back within the week.',
  'Checked the glass against the spare barometer; they differ by less than a millimetre.',
  '{name} mended the line at {place}.',
  'One mantle broken in the lifting; {n} left in the box.',
  'Read the regulations on reporting once more, so that the entries keep their order.',
  'The chimney draws well with the new cowl.',
]

const cold: Phrases = [
  'Ice on the gallery rail; strewed ash before the watch.',
  'The panes froze over from within and were cleared with spirit {n} times.',
  'Carried the day tank into the kitchen so that the oil should not thicken.',
  'Snow to the sill at {place}; dug the path before noon.',
  '{name} has a frostbitten hand and is kept off the gallery.',
  'The water in the fire buckets was frozen solid and was changed for brine.',
  'Eiders by the hundred in the sound, and {n} seals on the skerry.',
  'Rime on the wire of the signal mast as thick as a wrist; beat it off with a boathook.',
  'Stove in the watch room kept in all night. Used {n} baskets of peat.',
  'The well is low and we melt snow for the wash.',
]

const mild: Phrases = [
  'Limed the outer wall as far as the {n}th course.',
  'Painted {place} with the last of the red lead.',
  'Cut turf on the north side and set it to dry.',
  '{name} rowed to the mainland for lamp glass and came back on the evening tide.',
  'Terns nesting by {place}; we go round them.',
  'Set potatoes in the walled plot, {n} rows.',
  'Took the clockwork down, washed every wheel in spirit, and had it running again before dusk.',
  'Two painters from the town came out to draw the tower and were given coffee.',
  'Aired the bedding and scrubbed the stair.',
  'Mackerel in the sound; {name} caught {n} before breakfast.',
  'Oiled the hinges of the storm shutters and tried all of them.',
  'Haymaking with the people from Nordgård; they kept {n} loads for our cow.',
]

const stormy: Phrases = [
  'Spray over the gallery, and the tower trembled so that the watch cup walked along the sill.',
  'Put up the storm shutters on the weather side at {n} in the afternoon.',
  'A pane of the lantern cracked from corner to corner; sealed it with putty and canvas.',
  'The boat was hauled up past the second ring.',
  'Could not stand on the gallery. Cleaned the panes from within as well as could be done.',
  'Sea over the landing; {n} planks of it are gone.',
  'The bell was rung for {n} hours on account of the drift.',
]

/** What the keeper found worth writing down beside the readings of the day. */
export function remarksFor(day: Day, random: Seeded, earlier: Set<string>): string[] {
  const season = day.morning <= 0 ? cold : day.month >= 4 && day.month <= 7 ? mild : anySeason
  const sources = [season, anySeason, day.wind.force >= 7 ? stormy : anySeason]
  const count = random.between(2, 3)
  return sources.slice(0, count).map((phrases) => fill(pickFresh(phrases, random, earlier), random))
}

/** Avoids what was written within the last days, as a person would. */
function pickFresh(phrases: Phrases, random: Seeded, earlier: Set<string>): string {
  const fresh = phrases.filter((phrase) => !earlier.has(phrase))
  const phrase = random.pick(fresh.length > 0 ? [fresh[0] ?? phrases[0], ...fresh.slice(1)] : phrases)
  earlier.add(phrase)
  const oldest = earlier.values().next().value
  if (earlier.size > 12 && oldest !== undefined) earlier.delete(oldest)
  return phrase
}

function fill(phrase: string, random: Seeded): string {
  const text = phrase
    .replace('{n}', () => String(random.between(4, 19)))
    .replace('{name}', () => random.pick(names))
    .replace('{place}', () => random.pick(places))
  return text.charAt(0).toUpperCase() + text.slice(1)
}
