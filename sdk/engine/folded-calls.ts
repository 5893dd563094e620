import type { SourceMessage } from './compile.ts'
import { isObject } from './json.ts'
import { noteArguments } from './note-text.ts'
import { type Entry, type FoldedCall, type Line, originalOf } from './record.ts'

export interface FoldedCallFacts {
  readonly line: Line
  readonly sources: ReadonlyMap<number, SourceMessage>
  /** Registered name of the context tool; null where the request carries none. */
  readonly contextTool: string | null
}

/**
 * The calls of a note for entries that leave the view, each once, under the index of its original result, which
 * is what a reader asks for (R123). A reading of a result is listed under the index of what was read, for that
 * is where its text still is (rules.md 6, "The context tool's own calls").
 */
export function foldedCalls(facts: FoldedCallFacts, leaving: readonly number[]): readonly FoldedCall[] {
  const { line } = facts
  const entries = leaving.flatMap((index) => originalOf(line.record, index) ?? [])
  const results = new Map<string, Entry>()
  for (const entry of entries) if (entry.kind === 'result') results.set(pairName(entry), entry)
  return entries
    .filter((entry) => entry.kind === 'call')
    .map((call) => {
      const result = results.get(pairName(call))
      const json = callArguments(facts, call)
      const entry = result?.index ?? call.index
      const read = readIndex(facts, call, json)
      return {
        index: read ?? entry,
        ...(read === null ? {} : { entry }),
        function: call.name ?? '',
        arguments: noteArguments(json),
        outputChars: result?.chars ?? null,
      }
    })
}

/** Names a call and its result. Providers let a call id come back in a later round. */
export function pairName(entry: Entry): string {
  return `${entry.round}/${entry.callId ?? entry.index}`
}

/** Arguments of a call as JSON text; empty where its message is not at hand. */
export function callArguments({ sources }: Pick<FoldedCallFacts, 'sources'>, call: Entry): string {
  if (call.source === undefined) return ''
  const reading = sources.get(call.source.first)?.known.reading
  return reading?.drafts[call.source.draft]?.arguments ?? ''
}

/** The index that a call of the context tool reads a result of; null for any other call. */
function readIndex({ contextTool, line }: FoldedCallFacts, call: Entry, json: string): number | null {
  if (contextTool === null || call.name !== contextTool) return null
  try {
    const asked: unknown = JSON.parse(json)
    if (!isObject(asked) || asked.action !== 'read_result') return null
    const { index } = asked
    return typeof index === 'number' && line.record[index] !== undefined ? index : null
  } catch {
    return null
  }
}

/** Results of the context tool's own readings: whole until they were read, and never clipped (R149, R214). */
export function readingResults(facts: FoldedCallFacts): ReadonlySet<number> {
  const { line } = facts
  const entries = line.view.flatMap((index) => originalOf(line.record, index) ?? [])
  const readings = new Set(
    entries
      .filter(
        (entry) => entry.kind === 'call' && readIndex(facts, entry, callArguments(facts, entry)) !== null,
      )
      .map(pairName),
  )
  return new Set(
    entries
      .filter((entry) => entry.kind === 'result' && readings.has(pairName(entry)))
      .map((entry) => entry.index),
  )
}
