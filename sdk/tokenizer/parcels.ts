import type { Parcel } from './messages.ts'

/** UTF-16 units of a parcel: some milliseconds of the page's time to send, some tens of the worker's to count. */
const PARCEL_UNITS = 128 * 1024

/** What a text of no length takes of a parcel. */
const TEXT_UNITS = 16

/** Texts as parcels of a bounded size, in order; a long text goes on from parcel to parcel, cut anywhere. */
export function* parcelsOf(texts: readonly string[]): Generator<Parcel> {
  let parcel: string[] = []
  let room = PARCEL_UNITS
  for (const text of texts) {
    if (room <= 0) {
      yield { texts: parcel, open: false }
      parcel = []
      room = PARCEL_UNITS
    }
    let from = 0
    while (text.length - from > room) {
      parcel.push(text.slice(from, from + room))
      from += room
      yield { texts: parcel, open: true }
      parcel = []
      room = PARCEL_UNITS
    }
    parcel.push(text.slice(from))
    room -= text.length - from + TEXT_UNITS
  }
  if (parcel.length > 0) yield { texts: parcel, open: false }
}
