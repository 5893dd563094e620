import { utf8Bytes } from './engine/byte-bound.ts'
import type { SummaryJob } from './engine/plan.ts'
import { codePoints, isPair } from './engine/text.ts'
import type { SummaryRequest } from './ports.ts'

/** Most bytes that what an app's summary function is given comes to as JSON (R340). */
export const ENVELOPE_BYTES = 65_536

type Envelope = Omit<SummaryRequest, 'signal'>

/**
 * What an app's function is given of a job, within the bound. The oldest of the history yields first, the tail only
 * once the history is gone, each on a code-point boundary and with a word of how much is left out (R339, R340).
 */
export function summaryEnvelope(branchId: string, job: SummaryJob): Envelope {
  const { foldId, requestId, instructions, opening, history, retainedTail } = job
  const empty: Envelope = {
    branchId,
    ...(requestId === undefined ? {} : { requestId }),
    foldId,
    instructions,
    history: '',
    retainedTail: '',
  }
  const room = ENVELOPE_BYTES - utf8Bytes(JSON.stringify(empty))
  const lead = `${opening}\n\n`
  // The names of the tools stay, unless they are too many themselves.
  const keepsLead = encodedBytes(lead) <= room / 2
  const spoken = keepsLead ? history : `${lead}${history}`
  const left = keepsLead ? room - encodedBytes(lead) : room
  // What is shorter than the word of its loss stays.
  const least = Math.min(encodedBytes(spoken), encodedBytes(elided(codePoints(spoken))))
  const tail = endWithin(retainedTail, left - least)
  const end = endWithin(spoken, tail === retainedTail ? left - encodedBytes(tail) : least)
  return { ...empty, history: keepsLead ? `${lead}${end}` : end, retainedTail: tail }
}

/** A text, or where it takes more bytes its end, behind a word of how much is missing. */
function endWithin(text: string, bytes: number): string {
  if (encodedBytes(text) <= bytes) return text
  let left = bytes - encodedBytes(elided(codePoints(text)))
  let start = text.length
  while (start > 0) {
    const previous = start > 1 && isPair(text, start - 2) ? start - 2 : start - 1
    left -= encodedBytes(text.slice(previous, start))
    if (left < 0) break
    start = previous
  }
  return `${elided(codePoints(text.slice(0, start)))}${text.slice(start)}`
}

function elided(characters: number): string {
  return `[... ${characters} earlier character(s) elided to fit ...]\n`
}

/** Bytes of a text inside of a JSON text, without its quotes. */
function encodedBytes(text: string): number {
  return utf8Bytes(JSON.stringify(text)) - 2
}
