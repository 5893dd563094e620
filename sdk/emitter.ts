/** Passes each value to every listener. A listener that throws neither stops the others nor goes unnoticed. */
export class Emitter<Value> {
  readonly #listeners = new Set<(value: Value) => void>()

  subscribe(listener: (value: Value) => void): () => void {
    // A wrapper of its own, so that one function subscribed twice is called twice and removed once.
    const own = (value: Value): void => listener(value)
    this.#listeners.add(own)
    return () => this.#listeners.delete(own)
  }

  emit(value: Value): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value)
      } catch (error) {
        // Rethrown outside, so that it reaches the page's own error handling.
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}
