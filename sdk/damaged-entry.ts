import type { Entry } from './engine/record.ts'

/** No digest is such a text, so no list can hold the entry. */
export const DAMAGED_KEY = '\u0000damaged'

/** Whether an entry stands in the place of a row that is not there, or is none. */
export function isDamaged({ key }: Pick<Entry, 'key'>): boolean {
  return key === DAMAGED_KEY
}
