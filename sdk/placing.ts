import { appendMessages } from './engine/append.ts'
import type { Warning } from './engine/format.ts'
import { placeList } from './engine/place.ts'
import { emptyLine, type Line } from './engine/record.ts'
import type { IncomingRequest } from './request-intake.ts'
import type { OpenedRequest } from './request-reading.ts'
import { foreignListWarning } from './warnings.ts'

/** A list that was handed over, in its place. */
export interface Placed {
  readonly line: Line
  readonly forkedFrom?: string
  readonly isRecorded: boolean
  /** The list shares nothing with the branch. */
  readonly isForeign: boolean
  readonly warnings: readonly Warning[]
}

/**
 * The line that the list continues. A list that cannot be matched is measured by itself and not recorded: one that
 * is only what is new to a history that the provider holds, and one of another conversation, such as a title
 * request, which is never folded either (R58).
 */
export function placeRequest(
  { read }: OpenedRequest,
  { messages, system }: IncomingRequest,
  known: { readonly lines: readonly Line[]; readonly newLineId: string },
): Placed {
  const alone = (): Placed => ({
    line: appendMessages(emptyLine(''), messages),
    isRecorded: false,
    isForeign: false,
    warnings: [],
  })
  if (read.continues !== undefined) return alone()
  const placed = placeList({ ...known, messages, system })
  return placed.type === 'foreign'
    ? { ...alone(), isForeign: true, warnings: [foreignListWarning] }
    : { ...placed, isRecorded: true, isForeign: false, warnings: [] }
}
