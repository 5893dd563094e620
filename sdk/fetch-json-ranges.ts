/** Where a value stands in a JSON text: from `start` up to `end`, in UTF-16 units. */
export interface JsonRange {
  readonly start: number
  readonly end: number
}

export interface JsonMember {
  readonly key: string
  /** From its key to the end of its value. */
  readonly start: number
  readonly value: JsonRange
}

/** The members of the object that a JSON text holds, in order; a key may come twice. The text must be valid JSON. */
export function membersOf(text: string): readonly JsonMember[] {
  const members: JsonMember[] = []
  // Past the brace.
  let at = skipSpace(text, skipSpace(text, 0) + 1)
  while (text[at] !== '}') {
    const keyEnd = stringEnd(text, at)
    const key: string = JSON.parse(text.slice(at, keyEnd))
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const end = valueEnd(text, start)
    members.push({ key, start: at, value: { start, end } })
    at = skipComma(text, end)
  }
  return members
}

/** The items of the list that starts at a place of a JSON text, in order. The text must be valid JSON. */
export function itemsAt(text: string, listStart: number): readonly JsonRange[] {
  const items: JsonRange[] = []
  let at = skipSpace(text, listStart + 1)
  while (text[at] !== ']') {
    const end = valueEnd(text, at)
    items.push({ start: at, end })
    at = skipComma(text, end)
  }
  return items
}

function skipComma(text: string, from: number): number {
  const at = skipSpace(text, from)
  return text[at] === ',' ? skipSpace(text, at + 1) : at
}

function valueEnd(text: string, start: number): number {
  const first = text[start]
  if (first === '"') return stringEnd(text, start)
  if (first === '{' || first === '[') return nestedEnd(text, start)
  return after(/[^\s,\]}]*/y, text, start)
}

function nestedEnd(text: string, start: number): number {
  const signs = /["{}[\]]/g
  signs.lastIndex = start
  let depth = 0
  do {
    const sign = signs.exec(text)?.[0]
    if (sign === undefined) return text.length
    if (sign === '"') signs.lastIndex = stringEnd(text, signs.lastIndex - 1)
    else depth += sign === '{' || sign === '[' ? 1 : -1
  } while (depth > 0)
  return signs.lastIndex
}

function stringEnd(text: string, start: number): number {
  let quote = start
  do {
    quote = text.indexOf('"', quote + 1)
  } while (isEscaped(text, quote))
  return quote + 1
}

/** An odd number of backslashes stands before it. */
function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text[first - 1] === '\\') first--
  return (at - first) % 2 === 1
}

function skipSpace(text: string, from: number): number {
  return after(/\s*/y, text, from)
}

function after(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  pattern.exec(text)
  return pattern.lastIndex
}
