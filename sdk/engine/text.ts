/** Code points of a text: every public length and offset counts them (rules.md 5, "characters"). */
export function codePoints(text: string): number {
  let count = text.length
  for (let i = 0; i < text.length - 1; i++) {
    if (isPair(text, i)) {
      count--
      i++
    }
  }
  return count
}

/** The text between two code-point offsets; never splits a surrogate pair. */
export function sliceCodePoints(text: string, start: number, end: number): string {
  const from = unitOffset(text, start, 0, 0)
  const to = unitOffset(text, end, start, from)
  return text.slice(from, to)
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
