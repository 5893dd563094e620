import type { Segment } from '../engine/format.ts'
import type { JsonObject, JsonValue } from '../engine/json.ts'
import { countedText } from './counted-text.ts'
import type { MediaTokens } from './redact.ts'

export interface SegmentOptions {
  readonly message: JsonObject
  /** Draft that the message's frame belongs to. */
  readonly frame: number
  /** Keys whose value belongs to another draft, or whose items each belong to one; all others are frame. */
  readonly owners?: Readonly<Record<string, number | readonly number[]>>
  readonly mediaTokens: MediaTokens
}

/**
 * Cuts the counted JSON text of a message into stretches that each belong to one draft. Joined, they must
 * equal the JSON text of the whole message with media and opaque fields replaced by `""`.
 */
export function segmentMessage(options: SegmentOptions): readonly Segment[] {
  const { message, frame, owners = {}, mediaTokens } = options
  const segments = new SegmentList()
  let separator = '{'
  for (const [key, value] of Object.entries(message)) {
    if (value === undefined) continue
    const owner = Object.hasOwn(owners, key) ? owners[key] : undefined
    const start = `${separator}${JSON.stringify(key)}:`
    if (typeof owner === 'object' && Array.isArray(value)) {
      segments.add(frame, `${start}[`)
      for (const [position, item] of value.entries()) {
        const { text, media } = countedText(item, mediaTokens)
        segments.add(owner[position] ?? frame, position === 0 ? text : `,${text}`, media)
      }
      segments.add(frame, ']')
    } else {
      const { text, media } = countedText(value, mediaTokens)
      segments.add(typeof owner === 'number' ? owner : frame, start + text, media)
    }
    separator = ','
  }
  segments.add(frame, separator === '{' ? '{}' : '}')
  return segments.all
}

/** The same for a message that is a run of items, each of one draft: their texts as they stand in the list. */
export function segmentItems(
  items: readonly JsonObject[],
  { owners, mediaTokens }: { readonly owners: readonly number[]; readonly mediaTokens: MediaTokens },
): readonly Segment[] {
  const segments = new SegmentList()
  for (const [position, item] of items.entries()) {
    const { text, media } = countedText(item, mediaTokens)
    segments.add(owners[position] ?? 0, position === 0 ? text : `,${text}`, media)
  }
  return segments.all
}

/** Counted text of a value that belongs to no message, such as the system blocks or the tools. */
export function readValue(value: JsonValue, mediaTokens: MediaTokens): readonly Segment[] {
  const segments = new SegmentList()
  const { text, media } = countedText(value, mediaTokens)
  segments.add(0, text, media)
  return segments.all
}

/** Joins neighbouring stretches of one owner, so that a message costs as few counts as it can. */
class SegmentList {
  readonly all: Segment[] = []

  add(owner: number, text: string, media = 0): void {
    const last = this.all.at(-1)
    const joined = last?.owner === owner ? this.all.pop() : undefined
    const tokens = (joined?.media ?? 0) + media
    this.all.push({ owner, text: (joined?.text ?? '') + text, ...(tokens === 0 ? {} : { media: tokens }) })
  }
}
