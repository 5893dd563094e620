import type { Branch } from '../branch.ts'

/** The whole text of an entry, page by page, as the model or a person reads it. */
export async function readWhole(
  branch: Pick<Branch, 'readResult'>,
  index: number,
  limit = 16_000,
): Promise<string> {
  let text = ''
  for (let offset: number | null = 0; offset !== null; ) {
    const slice = await branch.readResult({ index, offset, limit })
    text += slice.text
    if (slice.nextOffset !== null && slice.nextOffset <= offset)
      throw new RangeError(`a page of entry ${index} ends at ${slice.nextOffset}, where it began or before`)
    offset = slice.nextOffset
  }
  return text
}
