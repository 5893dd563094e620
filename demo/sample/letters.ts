import type { Paper } from './papers.ts'

/** Letters in and out of the station. */
export const letters: readonly Paper[] = [
  {
    id: 'letter-1911-01-17',
    title: 'Tvedt to the district, 17 January 1911',
    text: `Skarvøy, 17 January 1911
To the District Engineer

I have to report the light low on the nights of the 9th, the 15th and the 16th of this month, the longest for two hours and twenty-one minutes. On each the cold stood at eleven degrees or more. The pump takes the hand as a pump without a bottom would: it goes up and down and gives nothing. When it has lain by the stove for a quarter of an hour it works again, until it is cold.

I write what I saw, as the regulations ask. If I may add what I suppose: it is the leather. It was soft enough in the autumn.

I respectfully ask for a new one. Bøe has tried one cut from a boot. It fitted and held for a night, and smelled very much.

Aslak Tvedt, keeper`,
  },
  {
    id: 'letter-1911-02-02',
    title: 'District to Lenoir & Fils, 2 February 1911',
    text: `Kristiansund, 2 February 1911
Messrs Lenoir & Fils, Paris

Two of our northern stations, Skarvøy and Kvitholmen, have your vapour lamp of 1908. At Skarvøy the pump fails in frost; at Kvitholmen, four degrees milder, it does not. The keeper suspects the leather of the piston.

Please tell us whether you have had the like from elsewhere, and whether a leather can be had that is made for such cold. The light was out last night and the night before, on the latter for an hour and forty-four minutes, which we cannot have again.

For the District Engineer: P. Sæther`,
  },
  {
    id: 'letter-1911-03-10',
    title: 'Lenoir & Fils to the district, 10 March 1911 (French)',
    text: `Paris, le 10 mars 1911
Monsieur l'Ingénieur,

Nous avons bien reçu votre lettre du 2 février. Le défaut que décrit votre gardien nous est connu depuis l'hiver dernier, par deux feux de la mer Blanche : la garniture de cuir, préparée à l'huile de baleine, durcit au-dessous de dix degrés de froid. Elle n'est pas usée ; elle est gelée.

Nous préparons désormais nos cuirs, pour le Nord, au suif et à l'huile de pied de bœuf, par moitié. Essayés dans un mélange de glace et de sel, ils restent souples jusqu'à vingt-cinq degrés de froid.

Nous vous adressons ce jour deux garnitures, sans frais, avec nos excuses à votre gardien, dont l'observation est d'une grande justesse. Qu'il garde la pompe au chaud jusque-là.

Veuillez agréer, Monsieur, l'expression de nos sentiments distingués.
É. Lenoir`,
  },
  {
    id: 'letter-1911-11-17',
    title: 'Master of S/S Havørn to the lighthouse service, 17 November 1911',
    text: `S/S Havørn, at Kristiansund, 17 November 1911
To the Lighthouse Service

In the night from the 15th to the 16th, on passage north with sixty-one passengers and a whole gale from the north-west, I looked for Skarvøy light from half past midnight. I had it, then for a minute something yellow that I took for a fishing boat, and from six minutes past one I had nothing. By my reckoning I was a mile and a half from the skerries. I turned her head to sea and lay so for half an hour. At sixteen minutes to two the light was there again, as good as ever.

I have passed Skarvøy for nineteen years. I do not write this to bring anybody into trouble. I write it because I would like to know what the matter was, and that it will not happen again.

J. Myhre, master`,
  },
  {
    id: 'letter-1911-11-29',
    title: 'District to Brødrene Holt, oil merchants, 29 November 1911',
    text: `Kristiansund, 29 November 1911
Brødrene Holt, Bergen

Of the four barrels you shipped to Skarvøy by S/S Vestvind on the 18th of October, number 31 holds eleven centimetres of water, and number 30 a trace. The oil was bought as dry oil of the second cut. Three nights of faulty light followed, the last of which was very nearly the end of a passenger steamer.

The barrel stands sealed and may be inspected by you. We ask to be told how water came into it, and expect that it will be replaced and the station's nine mantles with it.

For the District Engineer: P. Sæther`,
  },
  {
    id: 'letter-1911-12-09',
    title: 'Brødrene Holt to the district, 9 December 1911',
    text: `Bergen, 9 December 1911
To the District Engineer, Kristiansund

We have asked our cooper. In the first week of October he steamed eleven old barrels to clean them, and by his own word he filled the last two on the same day, without letting them dry, because the steamer was waiting. The numbers were 30 and 31. He had stood number 30 upside down over the dinner hour, and number 31 not.

We are ashamed of this. Two barrels leave with the next sailing, without charge, and a box of two dozen mantles. We have also bought a brass rod and a tin of paste, and nothing will leave our yard again that we have not sounded ourselves.

For Brødrene Holt: Severin Holt`,
  },
  {
    id: 'letter-1911-12-31',
    title: 'Tvedt to the district, 31 December 1911',
    text: `Skarvøy, 31 December 1911
To the District Engineer

The year's account goes with this mail. You ask whether the new leather has now seen frost. It has. On the night of the 16th of December we had eleven degrees, which in January would have cost us the light, and the pump held 2.9 kg until morning without being warmed. Bøe went up twice to see whether I was telling him the truth.

I wrote in January that I supposed it was the leather. I am glad to be able to write today that I saw it.

Captain Myhre of the Havørn put a parcel off in the mail bag: a cheese, and a card that says "to the light, from the ship". We have hung up the card. There is none of the cheese left to hang.

A good new year from all at Skarvøy.
Aslak Tvedt, keeper`,
  },
]
