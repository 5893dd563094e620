/** The known key that was probably meant, in whatever case and with whatever separators it was written. */
export function nearestKey(key: string, known: readonly string[]): string | undefined {
  const written = plain(key)
  let nearest: string | undefined
  let fewest = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const meant = plain(candidate)
    // More than half of the letters changed is another word, and not worth a long comparison either.
    const most = Math.max(written.length, meant.length) / 2
    if (Math.abs(written.length - meant.length) > most) continue
    const edits = editDistance(written, meant)
    if (edits > most || edits >= fewest) continue
    fewest = edits
    nearest = candidate
  }
  return nearest
}

function plain(key: string): string {
  return key.replace(/[^a-zA-Z0-9]/g, '').toLowerCase()
}

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    for (let column = 1; column <= right.length; column++) {
      const above = previous[column] ?? 0
      const diagonal = previous[column - 1] ?? 0
      const beside = current[column - 1] ?? 0
      current.push(left[row - 1] === right[column - 1] ? diagonal : 1 + Math.min(above, diagonal, beside))
    }
    previous = current
  }
  return previous[right.length] ?? 0
}
