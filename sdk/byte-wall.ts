import { utf8Bytes } from './engine/byte-bound.ts'
import { type OpenedRequest, whileReading } from './request-reading.ts'

/** A body that its provider would not take, whatever its tokens are: media have few tokens and many bytes (R14). */
export interface TooManyBytes {
  readonly bytes: number
  /** Of the format. */
  readonly limit: number
}

/** Null where a request, as it would leave, has no more bytes than a share of what its provider takes. */
export function tooManyBytes({ wire }: OpenedRequest, outgoing: unknown, share = 1): TooManyBytes | null {
  const limit = wire.maxRequestBytes
  if (limit === undefined) return null
  const bytes = whileReading(outgoing, () =>
    textUnits(outgoing) * LARGEST_UNIT <= limit * share ? 0 : utf8Bytes(JSON.stringify(outgoing)),
  )
  return bytes <= limit * share ? null : { bytes, limit }
}

/** Bytes that one unit of a string can take in JSON at the most: `\\u0000`. */
const LARGEST_UNIT = 6

/** UTF-16 units of all texts in a request, keys and punctuation generously included; far cheaper than its JSON. */
function textUnits(value: unknown): number {
  if (typeof value === 'string') return value.length + 4
  if (typeof value !== 'object' || value === null) return 24
  let units = 4
  for (const [key, inner] of Object.entries(value)) units += key.length + 4 + textUnits(inner)
  return units
}
