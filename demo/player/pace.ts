export interface Pace {
  /** Milliseconds to wait between two rounds. */
  readonly pauseMs: number
  readonly words: string
}

/** From slow to as fast as possible, in the order of the slider. */
export const paces: readonly [Pace, ...Pace[]] = [
  { pauseMs: 2000, words: 'a round every 2 seconds' },
  { pauseMs: 1000, words: 'a round a second' },
  { pauseMs: 350, words: '3 rounds a second' },
  { pauseMs: 100, words: '10 rounds a second' },
  { pauseMs: 0, words: 'as fast as possible' },
]

export const startPace = 2

export function paceAt(position: number): Pace {
  return paces[position] ?? paces[0]
}
