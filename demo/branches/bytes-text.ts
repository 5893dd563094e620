const units = ['kilobyte', 'megabyte', 'gigabyte'] as const

/** Bytes in the largest unit of which there is one. */
export function bytesText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`
  const place = Math.min(units.length, Math.floor(Math.log10(bytes) / 3))
  return new Intl.NumberFormat('en', {
    style: 'unit',
    unit: units[place - 1] ?? 'kilobyte',
    maximumFractionDigits: 1,
  }).format(bytes / 1000 ** place)
}
