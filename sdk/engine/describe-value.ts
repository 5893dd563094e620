const longestShown = 32

/** Names a value that was not expected, for an error: what kind it is, and no more of it than helps. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string')
    return value.length > longestShown ? `a string of ${value.length} characters` : JSON.stringify(value)
  if (typeof value === 'number' || typeof value === 'boolean' || value === null || value === undefined)
    return String(value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
