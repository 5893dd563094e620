/** Each chat mostly waits for its provider, and none knows of the others: many of them go on at once. */
export const together = { concurrent: true, timeout: 60_000 } as const
