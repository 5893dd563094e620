interface Transaction {
  readonly done: Promise<void>
  readonly error: DOMException | null
  abort(): void
}

/**
 * Runs `work` inside a transaction and waits until the browser has stored it.
 * - `work` must await nothing but requests of this transaction: it ends as soon as it has none.
 * - `work` must hear of every request that it makes, also when the next one throws at once: requests made
 *   side by side must each stand in an async function of their own.
 * - When `work` throws, nothing that it wrote stays.
 * - What is thrown must be the reason, and not the abort that follows from it.
 */
export async function allOrNothing<Value>(
  transaction: Transaction,
  work: () => Promise<Value>,
): Promise<Value> {
  // Heard from the start: the transaction may fail while `work` still runs.
  transaction.done.catch(() => {})
  try {
    const value = await work()
    await transaction.done
    return value
  } catch (cause) {
    abort(transaction)
    throw transaction.error ?? cause
  }
}

function abort(transaction: Transaction): void {
  try {
    transaction.abort()
  } catch {
    // It has ended by itself, which is what was wanted.
  }
}
