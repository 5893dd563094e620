import type { JsonObject } from '../engine/json.ts'
import { codePoints } from '../engine/text.ts'
import { detectFormat } from '../wire/detect.ts'

/** What one entry of a list says. */
export interface ListedText {
  /** Whole, as `read_result` pages over it. */
  readonly text: string
  /** Length of the longest part of it that a fold may shorten, in code points; 0: none. */
  readonly longestBody: number
}

/** Every entry of a request's list, in order, read anew from the request itself. */
export function listedTexts(request: JsonObject): readonly ListedText[] {
  const wire = detectFormat(request)
  const outcome = wire?.read(request)
  if (!wire || outcome?.type !== 'read') throw new TypeError('the request could not be read')
  return outcome.request.messages.flatMap((message) => {
    const snapshot = JSON.parse(JSON.stringify(message))
    const bodies = wire.resultBodies(snapshot)
    return wire.readMessage(snapshot).drafts.map(({ text }, draft) => ({
      text,
      longestBody: Math.max(0, ...(bodies.get(draft) ?? []).map(({ source }) => codePoints(source))),
    }))
  })
}
