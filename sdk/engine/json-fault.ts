/** What keeps a value from being written as JSON, and where. */
export interface JsonFault {
  /** From the value down to what is at fault. */
  readonly path: readonly (string | number)[]
  /** Names a kind, never content. */
  readonly actual: string
}

/** An object on the way down, and how many of its keys were taken. */
interface Open {
  readonly object: object
  readonly keys: readonly string[]
  taken: number
}

type Written =
  | { readonly type: 'value'; readonly value: unknown }
  | { readonly type: 'fault'; readonly actual: string }

/** No JSON is nested that deeply on purpose; what writes it gives up at a few times as much. */
const DEEP = 1000

/**
 * Why a value that `JSON.stringify` refused was refused. Walks it in the same order but without a stack of calls, so
 * that nesting too deep for one is told as well. Null where nothing of the kind is found.
 */
export function jsonFaultOf(root: unknown): JsonFault | null {
  const open: Open[] = []
  const above = new Set<object>()
  const fault = (actual: string): JsonFault => ({ path: pathOf(open), actual })
  let deep: JsonFault | null = null
  for (let step: Written | null = written(root, ''); step !== null; step = nextWritten(open, above)) {
    if (step.type === 'fault') return fault(step.actual)
    const { value } = step
    if (typeof value === 'bigint') return fault('a BigInt')
    if (open.length === 0 && isNothing(value))
      return fault(value === root ? describeNothing(value) : 'an object whose toJSON returns nothing')
    if (typeof value !== 'object' || value === null) continue
    if (above.has(value)) return fault('an object that holds itself')
    const keys = keysOf(value)
    if (keys === null) return fault('an object that throws when it is read')
    above.add(value)
    open.push({ object: value, keys, taken: 0 })
    if (open.length === DEEP) deep ??= fault('nested too deeply')
  }
  return deep
}

/** The next value in the order of the text; null at its end. */
function nextWritten(open: Open[], above: Set<object>): Written | null {
  for (let last = open.at(-1); last; last = open.at(-1)) {
    const key = last.keys[last.taken]
    if (key !== undefined) {
      last.taken += 1
      return writtenUnder(last.object, key)
    }
    above.delete(last.object)
    open.pop()
  }
  return null
}

function writtenUnder(object: object, key: string): Written {
  try {
    return written(Reflect.get(object, key), key)
  } catch {
    return { type: 'fault', actual: 'a property that throws when it is read' }
  }
}

/** What stands in JSON for a value: what its `toJSON` returns, where it has one. */
function written(value: unknown, key: string): Written {
  if (typeof value !== 'object' || value === null) return { type: 'value', value }
  let toJSON: unknown
  try {
    toJSON = Reflect.get(value, 'toJSON')
  } catch {
    return { type: 'fault', actual: 'an object that throws when it is read' }
  }
  if (typeof toJSON !== 'function') return { type: 'value', value }
  try {
    return { type: 'value', value: toJSON.call(value, key) }
  } catch {
    return { type: 'fault', actual: 'an object whose toJSON throws' }
  }
}

function keysOf(object: object): readonly string[] | null {
  try {
    return Object.keys(object)
  } catch {
    return null
  }
}

function pathOf(open: readonly Open[]): readonly (string | number)[] {
  return open.flatMap(({ object, keys, taken }) => {
    const key = keys[taken - 1]
    if (key === undefined) return []
    return [Array.isArray(object) ? Number(key) : key]
  })
}

/** Of which `JSON.stringify` makes no text. */
function isNothing(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol'
}

function describeNothing(value: unknown): string {
  return value === undefined ? 'undefined' : `a ${typeof value}`
}
