/** Stands for what is not known. Never a zero. */
export const unknown = '–'

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })

/**
 * Tokens with group separators. Estimates may be fractional and are rounded up, as the engine's own messages
 * do, so that an estimate just over a ceiling never reads as equal to it.
 */
export function formatTokens(tokens: number | null | undefined): string {
  return tokens === null || tokens === undefined ? unknown : grouped.format(Math.ceil(tokens))
}

/** Tokens for an axis: 41,200 becomes 41.2k. */
export function formatShortTokens(tokens: number): string {
  if (tokens < 1_000) return grouped.format(tokens)
  const [size, unit] = tokens < 1_000_000 ? [tokens / 1_000, 'k'] : [tokens / 1_000_000, 'M']
  return `${Number(size.toFixed(size < 100 ? 1 : 0))}${unit}`
}

/** A change with its sign; the minus is a real minus, as wide as the plus. */
export function formatDelta(delta: number): string {
  const size = grouped.format(Math.abs(Math.ceil(delta)))
  if (size === '0') return '±0'
  return delta < 0 ? `−${size}` : `+${size}`
}

export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${grouped.format(count)} ${count === 1 ? one : many}`
}

export function formatNumber(value: number): string {
  return grouped.format(value)
}

/** Local time of day to the second; the date is in the tooltip of the row. */
export function formatTime(at: number): string {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map((part) => String(part).padStart(2, '0'))
    .join(':')
}

export function formatDuration(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return unknown
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  return `${(milliseconds / 1_000).toFixed(1)} s`
}

/** Record indexes as ranges: 4–19, 23. */
export function formatRanges(indexes: readonly number[], most: number): string {
  const ranges: { start: number; end: number }[] = []
  for (const index of [...indexes].sort((left, right) => left - right)) {
    const last = ranges.at(-1)
    if (last && index <= last.end + 1) last.end = index
    else ranges.push({ start: index, end: index })
  }
  const shown = ranges
    .slice(0, most)
    .map(({ start, end }) => (start === end ? String(start) : `${start}–${end}`))
  return ranges.length > most ? `${shown.join(', ')} and ${ranges.length - most} more` : shown.join(', ')
}
