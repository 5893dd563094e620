/** Rows whose requests are made in one task of the page: a few milliseconds of it. */
const BATCH_ROWS = 50

/** Does something with each row: with some side by side, so that the database does not wait, and never with all at once. */
export async function inBatches<Row>(rows: readonly Row[], work: (row: Row) => Promise<void>): Promise<void> {
  for (let from = 0; from < rows.length; from += BATCH_ROWS)
    await Promise.all(rows.slice(from, from + BATCH_ROWS).map(work))
}
