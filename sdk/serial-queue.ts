/** Runs steps one after the other, first in, first out. A step that fails does not stop those behind it. */
export class SerialQueue {
  #last: Promise<unknown> = Promise.resolve()

  run<Result>(step: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(step)
    this.#last = result.catch(() => undefined)
    return result
  }

  /** Resolves when everything that was queued so far has ended. */
  async idle(): Promise<void> {
    await this.#last
  }
}
