import type { JsonValue } from '../engine/json.ts'
import { type MediaTokens, redact } from './redact.ts'

export interface CountedText {
  readonly text: string
  /** Tokens of media that stands in the value and is never counted as text. */
  readonly media: number
}

/** JSON text of any value as it is counted: no spaces, media and opaque fields replaced by `""`. */
export function countedText(value: JsonValue, mediaTokens: MediaTokens): CountedText {
  const redacted = redact(value, mediaTokens)
  return { text: JSON.stringify(redacted.value) ?? 'null', media: redacted.media }
}
