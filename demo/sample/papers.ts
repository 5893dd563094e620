import { restOfBadBarrel } from './stores.ts'

/** The papers of the station that are not kept day by day. */
export interface Paper {
  readonly id: string
  readonly title: string
  readonly text: string
}

export const papers: readonly Paper[] = [
  {
    id: 'handbook-lamp',
    title: 'Lenoir & Fils: The oil vapour lamp, directions for keepers (translation)',
    text: `THE OIL VAPOUR LAMP. DIRECTIONS FOR KEEPERS.
Maison Lenoir & Fils, Paris. Translated for the coast stations, 1908.

§1 What the lamp is. Oil is pressed by air from the day tank into a heated coil, leaves it as vapour, mixes with air under the burner and burns inside a mantle. The light is five times that of the old wick lamp for two thirds of the oil. It has one need the wick did not have: a steady pressure. Where the pressure goes, the light goes.

§2 Pressure. Pump to 3.0 kg before lighting. In a tight lamp the pressure falls by 0.1 kg in an hour and is made good at every winding of the clockwork. At 2.0 kg the flame is visibly lower; at 1.6 kg it is yellow and of half its strength; below 1.0 kg it goes out and the coil cools within two minutes. A lamp that has gone out must be heated with spirit for eight minutes before it can be lit again. Do not hasten this.

§3 The pump. The piston is tightened by a cup of leather. The leather is dressed at the works with train oil. It should be taken out every quarter, wiped, and dressed again. Train oil becomes thick from about ten degrees of frost and stiff a few degrees below; the cup then no longer meets the cylinder and pumping gives no pressure. Where hard frost is to be expected, the leather should be dressed with tallow and neatsfoot oil, half and half, which stays soft to twenty-five degrees of frost. From 1911 on we deliver leathers dressed in this way to northern stations on request.

§4 Warming. A stiff leather recovers within a quarter of an hour beside a stove. This is a makeshift. A pump that has to be warmed twice in a winter wants a new leather.

§5 The oil. Only refined lamp oil of the second cut, clear as water and dry. Let every barrel stand for eight days before it is opened, and sound it with the brass rod and paste before the first drawing: the paste turns red where there is water. Draw from a hand above the bottom. Never draw the last hand of any barrel.

§6 Wet oil. Water in the coil turns to steam in bursts. The signs, in the order in which they come: a ticking in the coil; a flame that spits; a yellow, smoking flame; soot on the mantle; a mantle that breaks without being touched. In still weather a lamp may burn wet oil for days and only tick. When the draught in the lantern is strong the bursts tear the flame from the mantle, and the burner drowns. A lamp that smokes in every strong wind and burns well between is burning wet oil, whatever the barrel says.

§7 Changing the burner. Close the valve, let the pressure stand, unscrew the burner with the forked key, set the spare, heat for eight minutes, light. A practised keeper needs twenty-five minutes in all. Note the minutes in the log: the service reckons a light as out for the whole of the time, and as low or smoking where a flame remained.

§8 Table of faults.
Low flame, pressure falling, hard frost: leather (§3).
Low flame, pressure steady: coil choked; burn out the coil.
Smoking flame in wind, good in calm: wet oil (§6).
Smoking flame at all times: mantle sits crooked, or cowl blocked.
Flame out, pressure at nothing: leather, or valve of the day tank open.
Flame out, pressure steady: burner drowned; wet oil (§6), or needle worn.
Ticking only: wet oil, early; sound the barrel.`,
  },
  {
    id: 'regulations-reporting',
    title: 'Lighthouse service: What a keeper writes down, and how',
    text: `REGULATIONS FOR LIGHT STATIONS. PART IV: THE LOG.

1. The log is written by the keeper, or by the assistant who had the watch, before ten in the morning, for the day on which the watch began. A trouble at two in the night therefore stands under the date of the evening before.

2. Every entry holds the wind, the glass, the thermometer at eight and at its lowest, the sky, the minute of lighting and of putting out, the oil and the number of its barrel.

3. A light is LOW when a flame remains but the characteristic can be mistaken at ten miles. It is SMOKING when a flame remains but is yellow. It is OUT when there is no flame, if only for one minute. The word LIGHT OUT is written in capitals, so that an inspector finds it.

4. A LIGHT OUT of more than thirty minutes is reported to the district by the next mail, with the cause as far as the keeper knows it. He is to write what he saw, and not what he supposes.

5. Vessels are entered in the passage book by the watch. A vessel that passes while the light is low, smoking or out is to be entered with particular care as to the minute.

6. In the bright weeks, from the 12th of May to the 2nd of August, the light is not shown. The log is kept all the same.

7. Oil is measured into the day tank with the tested can. The month's sum in the log and the month's sum in the ledger may differ by what was spilled; a difference above two in the hundred is to be explained.

8. Nothing is erased. A mistake is struck through so that it can still be read, and the right word is written beside it with the date of the correction.`,
  },
  {
    id: 'inspection-1911-02-20',
    title: 'Inspection of 20 February 1911',
    text: `REPORT ON SKARVØY, 20 FEBRUARY 1911. Inspector N. Falch.

Landed from the tender at nine in the morning, wind easterly and light. The station is in good order and clean. The keeper, Aslak Tvedt, and his assistant, Håkon Bøe, were both present, and the keeper's daughter Ingrid, who writes a fair hand and copies the passage book.

Lamp. Saw it lit. Pressure 3.0 kg at lighting and 2.9 after an hour at three degrees of frost, which is as it should be. The keeper states that in hard frost it will not hold. I had the pump taken down. The leather is the one delivered with the lamp in 1908 and is dressed with train oil; it is not worn through, but hard at the rim. In the snow for half an hour it could not be bent with two fingers.

Log. Between New Year and this day the log has eight nights with the light low or out, all of them nights at eleven degrees of frost or more. I find no night of such frost without a trouble, nor a trouble without such frost. In my view the keeper has done what could be done: he has warmed the pump by the stove on each occasion.

Oil. Sounded barrels 22 and 23 with rod and paste: dry to the bottom.

Ordered: two leathers from the makers, dressed for frost, with the least delay. Until then the pump is to be kept in the watch room, and the day tank in the kitchen.

The clockwork runs true. One pane of the lantern is cracked and sealed with canvas; a new one will come with the tender in May.`,
  },
  {
    id: 'inspection-1911-06-14',
    title: 'Inspection of 14 June 1911',
    text: `REPORT ON SKARVØY, 14 JUNE 1911. Inspector N. Falch.

The light was not shown at this season; had it lit for trial in the forenoon with the shutters closed.

Lamp. Pressure 3.0 kg, and 2.9 after an hour. The new leather, fitted on the 29th of March, is soft. The keeper has kept the old one, and a spare new one in tallow. He asks me to write down that he would have liked to see a hard frost on it; between the fitting and the spring there was none of eleven degrees.

Lantern. New pane set on the 2nd of June by the glazier from town. Putty good. The cowl draws.

Stores. Ledger and store agree within half of one in the hundred. Mantles are used faster than at Kvitholmen, which has the same lamp; the keeper puts it down to the draught of the high lantern.

House. The east stair wants new treads. The well is good. The keeper's daughter asks whether a school-ship's library box could call here as it does at the outer stations; I have promised to ask.`,
  },
  {
    id: 'inspection-1911-11-26',
    title: 'Inspection of 26 November 1911',
    text: `REPORT ON SKARVØY, 26 NOVEMBER 1911. Inspector N. Falch. Called out by telegraph after the complaint of S/S Havørn.

Lamp. Burning well on oil from barrel 32. Pressure 3.0 kg, 2.9 after an hour. Took the pump down: the leather fitted in March is as soft as on the day it came. The pump has no part in what happened this month.

Oil. Barrel 31 stands sealed, with ${Math.round(restOfBadBarrel())} litres in it. Sounded it before the keeper and the assistant: the paste is red for eleven centimetres. The barrel had been opened on the 3rd of November, sixteen days after it was landed. The keeper sounded it before the first drawing, as the regulations ask, and found it dry; the assistant confirms this. I believe them. The water was in the oil, as a cloud, and settled in the cold of the store. Barrels 30, 32 and 33 of the same delivery: 32 dry, 33 dry, 30 a trace.

Log. Three nights of trouble, those of the 12th, the 14th and the 15th. On each of them the wind was at seven or above. On the nights between, with the same oil and less wind, the lamp ticked but burned. This agrees with the makers' directions.

Ordered: the merchant to be written to. No fault lies with the station.`,
  },
]
