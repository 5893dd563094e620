/** Base64 body of a `data:` URL; null for any other link. */
export function dataUrlBody(url: unknown): string | null {
  if (typeof url !== 'string' || !url.startsWith('data:')) return null
  const comma = url.indexOf(',')
  return comma > 0 && url.slice(0, comma).endsWith(';base64') ? url.slice(comma + 1) : null
}
