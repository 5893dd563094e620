/** A value kept in this browser from one visit to the next, where the browser keeps anything. */
export interface Remembered<Value> {
  read(): Value | null
  write(value: Value): void
}

export function remembered<Value>(
  key: string,
  isValue: (value: unknown) => value is Value,
): Remembered<Value> {
  return {
    read() {
      try {
        const value: unknown = JSON.parse(localStorage.getItem(key) ?? 'null')
        return isValue(value) ? value : null
      } catch {
        return null
      }
    },
    write(value) {
      try {
        localStorage.setItem(key, JSON.stringify(value))
      } catch {
        // Storage is switched off or full: the page works on, and forgets.
      }
    },
  }
}
