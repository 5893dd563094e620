import type { Format, ReportedUsage } from './engine/format.ts'
import { formats } from './wire/detect.ts'

/**
 * Tokens that a response reports (R30-R38): of its body, of a list of the events of its stream, each parsed or as the
 * JSON text of its data, or of its usage alone. Null where it reports none, and for a response of another shape.
 */
export function readUsage(format: Format, response: unknown): ReportedUsage | null {
  return formats.find((known) => known.format === format)?.readUsage(response) ?? null
}
