import type { MayPause } from './plan.ts'

/** UTF-16 units that are copied, hashed or cut in about a millisecond. */
const STRIDE_UNITS = 16_384

/** What a message costs beside its text. */
const MESSAGE_UNITS = 128

/** Yielded by a plan where its pace says so. */
export const mayPause: MayPause = { type: 'may-pause' }

/** Tells a plan when it has worked for so long that it should offer a pause. */
export class Pace {
  #units = 0

  /** Whether a pause is due after so many more units of text. */
  isDue(units: number): boolean {
    this.#units += units + MESSAGE_UNITS
    if (this.#units < STRIDE_UNITS) return false
    this.#units = 0
    return true
  }
}
