import { appendMessages } from './engine/append.ts'
import { ownName } from './engine/digest.ts'
import type { Format } from './engine/format.ts'
import type { PartSize } from './engine/journal.ts'
import { MeasureMemory, measureRequest } from './engine/measure.ts'
import { answerCounts, asksNothing, runPlan } from './engine/plan.ts'
import { emptyLine } from './engine/record.ts'
import { takeInRequest } from './request-intake.ts'
import { mustBeObject, openRequest, unknownFormat } from './request-reading.ts'
import { detectFormat, formats } from './wire/detect.ts'

export interface RequestCount {
  /** Tokens of what the provider counts of the request, media included; the sum of the parts. */
  readonly total: number
  readonly parts: readonly PartSize[]
}

/**
 * Counts requests as `prepare` would count them, before any scale (R23, R27, R28); texts that were counted before are
 * not counted again. Throws `unknown_format` where no format is given and none is recognised, and `invalid_request`
 * for a shape that no provider would understand.
 */
export function createRequestCounter(
  count: (text: string) => number,
): (request: unknown, format?: Format) => RequestCount {
  const memory = new MeasureMemory()
  return (request, format) => {
    const wire =
      format === undefined
        ? detectFormat(mustBeObject(request))
        : formats.find((known) => known.format === format)
    if (!wire)
      throw unknownFormat(
        format,
        formats.map((known) => known.format),
      )
    const opened = openRequest(wire, request)
    const taken = runPlan(takeInRequest(opened, { previous: null, digest: ownName }), asksNothing)
    const { record } = appendMessages(emptyLine(''), taken.messages)
    let index = 0
    const plan = measureRequest({
      wire: opened.wire,
      model: opened.read.model,
      fields: taken.fields,
      leading: taken.leading.map(({ snapshot }) => snapshot),
      messages: taken.messages.map(({ snapshot, reading }) => ({
        native: snapshot,
        snapshot,
        indexes: reading.drafts.map(() => index++),
      })),
      record,
      memory,
    })
    const size = runPlan(
      plan,
      answerCounts((texts) => texts.map(count)),
    )
    return { total: size.counted, parts: size.parts }
  }
}
