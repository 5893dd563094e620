/** Code points of a text: every public length and offset counts them (rules.md 5, "characters"). */
export function codePoints(text: string): number {
  let count = text.length
  for (let i = plainUnits(text); i < text.length - 1; i++) {
    if (isPair(text, i)) {
      count--
      i++
    }
  }
  return count
}

/** The text between two code-point offsets, both at least 0; never splits a surrogate pair. */
export function sliceCodePoints(text: string, start: number, end: number): string {
  const plain = plainUnits(text)
  const from = start <= plain ? start : unitOffset(text, start, plain, plain)
  const to = end <= plain ? end : unitOffset(text, end, Math.max(start, plain), Math.max(from, plain))
  return text.slice(from, to)
}

/** Units before the first that may begin a pair: each a code point, and a search is far faster than a walk. */
function plainUnits(text: string): number {
  const first = text.search(/[\ud800-\udbff]/)
  return first < 0 ? text.length : first
}

/** UTF-16 offset of a code-point offset, walking on from a known pair of them. */
function unitOffset(text: string, target: number, knownPoint: number, knownUnit: number): number {
  let unit = knownUnit
  for (let point = knownPoint; point < target && unit < text.length; point++)
    unit += isPair(text, unit) ? 2 : 1
  return unit
}

/** The first `limit` code points, the last of them an ellipsis where something was left out. */
export function clipText(text: string, limit: number): string {
  if (text.length <= limit || codePoints(text) <= limit) return text
  return `${sliceCodePoints(text, 0, limit - 1)}…`
}

/** Whether a surrogate pair begins at a UTF-16 offset. */
export function isPair(text: string, unit: number): boolean {
  const high = text.charCodeAt(unit)
  if (high < 0xd800 || high > 0xdbff) return false
  const low = text.charCodeAt(unit + 1)
  return low >= 0xdc00 && low <= 0xdfff
}
