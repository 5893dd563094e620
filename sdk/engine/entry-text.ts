import type { EntryDraft } from './format.ts'
import { projectedMessage } from './projected-message.ts'
import { type Entry, originalOf } from './record.ts'
import type { StageContext } from './stages/stage.ts'

/** What the app's own message says of an entry that has one. */
export function draftOf(
  { sources }: Pick<StageContext, 'sources'>,
  { source }: Entry,
): EntryDraft | undefined {
  return source && sources.get(source.first)?.known.reading.drafts[source.draft]
}

/** A result as the request shows it, shortened where it is there; null where no shortening fits (R124, R158, R375). */
export function shownText(
  { line, sources, wire, rules }: Pick<StageContext, 'line' | 'sources' | 'wire' | 'rules'>,
  result: Entry,
): string | null {
  const source = originalOf(line.record, result.index)?.source
  const known = source && sources.get(source.first)?.known
  if (source === undefined || known === undefined) return null
  const { first, draft } = source
  const { message, unfit } = projectedMessage(known, {
    wire,
    first,
    rules,
    copies: result.copy ? new Map([[draft, result.copy]]) : new Map(),
    bounds: new Map(),
  })
  if (unfit.includes(draft)) return null
  const { drafts } = message === null ? known.reading : wire.readMessage(message)
  return drafts[draft]?.text ?? null
}
