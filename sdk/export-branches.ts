import type { BranchSnapshot, BranchState } from './branch-state.ts'
import { digestInPieces } from './digest-in-pieces.ts'
import { utf8Bytes } from './engine/byte-bound.ts'
import type { JsonValue } from './engine/json.ts'
import {
  PORTABLE_FORMAT,
  PORTABLE_VERSION,
  type PortableProgress,
  type PortableRow,
  type Unowned,
} from './portable-file.ts'
import type { EntryRow, JournalRow } from './ports.ts'
import { throwIfAborted } from './prepare-options.ts'
import { type Redact, redactJson } from './redacting.ts'
import type { PieceOptions } from './run-in-pieces.ts'

export interface ExportOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: PortableProgress) => void
  /**
   * Says what a text becomes in the file: all that was said, called and returned, and what was written of it since.
   * What a redacted message is recorded by is named anew, so that the file is whole in itself.
   */
  readonly redact?: Redact
}

/** Text that is handed to the browser at once, so that a large file is not held here. */
const CHUNK_CHARS = 1_000_000

/** Writes branches to one portable file. Rejects with `aborted` by its signal, and with whatever a store rejects with. */
export async function exportBranches(
  branches: readonly { readonly id: string; readonly open: () => Promise<ExportedBranch> }[],
  options: ExportOptions & { readonly pieces: PieceOptions; readonly at: number },
): Promise<Blob> {
  const file = new FileWriter(options)
  file.write({ type: 'header', format: PORTABLE_FORMAT, v: PORTABLE_VERSION, at: options.at })
  const written = new Map<string, string>()
  for (const { id, open } of branches) {
    const { snapshot, state } = await open()
    file.expect(snapshot.row.bytes)
    await writeBodies(file, { id, snapshot, state, written, options })
    writeRows(file, { id, snapshot, written, options })
  }
  return file.end(branches.length)
}

export interface ExportedBranch {
  readonly state: BranchState
  readonly snapshot: BranchSnapshot
}

interface BranchOnItsWay {
  readonly id: string
  readonly snapshot: BranchSnapshot
  /** What each body is called in the file, by its own hash. */
  readonly written: Map<string, string>
  readonly options: ExportOptions
}

async function writeBodies(
  file: FileWriter,
  {
    id,
    snapshot,
    state,
    written,
    options,
  }: BranchOnItsWay & {
    readonly state: BranchState
    readonly options: ExportOptions & { readonly pieces: PieceOptions }
  },
): Promise<void> {
  const { signal, redact, pieces } = options
  for (const { source } of snapshot.entries) {
    if (source === undefined || written.has(source.hash)) continue
    throwIfAborted(signal)
    await pieces.breathe()
    const json = await state.bodyText(source.hash)
    const shown = redact
      ? JSON.stringify(redactJson(JSON.parse(json), redact, { branchId: id, path: [] }))
      : json
    const hash = shown === json ? source.hash : await digestInPieces(shown, state.digest, pieces)
    file.writeBody(hash, shown)
    written.set(source.hash, hash)
  }
}

function writeRows(file: FileWriter, { id, snapshot, written, options }: BranchOnItsWay): void {
  const { redact } = options
  const shown = <Value>(value: Value, path: string): Value =>
    redact ? (redactJson(value as JsonValue, redact, { branchId: id, path: [path] }) as Value) : value
  const { row, lines, entries, journal } = snapshot
  file.write({ type: 'branch', row })
  for (const { branchId: _, ...line } of lines) file.write({ type: 'line', row: line })
  for (const { branchId: _, ...entry } of entries)
    file.write({ type: 'entry', row: exportedEntry(entry, written, shown) })
  for (const record of journal) file.write({ type: 'journal', row: exportedRecord(record, shown) })
}

type Shown = <Value>(value: Value, path: string) => Value

function exportedEntry(
  entry: Omit<EntryRow, 'branchId'>,
  written: ReadonlyMap<string, string>,
  shown: Shown,
): Omit<EntryRow, 'branchId'> {
  const { source, note } = entry
  return {
    ...entry,
    ...(source ? { source: { ...source, hash: written.get(source.hash) ?? source.hash } } : {}),
    ...(note
      ? {
          note: {
            ...note,
            calls: note.calls.map((call) => ({ ...call, arguments: shown(call.arguments, 'arguments') })),
            ...(note.summary === undefined ? {} : { summary: shown(note.summary, 'summary') }),
            ...(note.words
              ? { words: note.words.map((words) => ({ ...words, preview: shown(words.preview, 'preview') })) }
              : {}),
          },
        }
      : {}),
  }
}

/** Of the journal only the calls that a fold lists are anybody's words. */
function exportedRecord({ branchId: _, ...row }: JournalRow, shown: Shown): Unowned<JournalRow> {
  if (row.type !== 'fold') return row as Unowned<JournalRow>
  const calls = row.record.calls.map((call) => ({ ...call, arguments: shown(call.arguments, 'arguments') }))
  return { ...row, record: { ...row.record, calls } }
}

class FileWriter {
  readonly #onProgress: ExportOptions['onProgress']
  readonly #parts: Blob[] = []
  readonly #bodies = new Set<string>()
  #text: string[] = []
  #chars = 0
  #rows = 0
  #bytes = 0
  #expected = 0

  constructor({ onProgress }: ExportOptions) {
    this.#onProgress = onProgress
  }

  expect(bytes: number): void {
    this.#expected += bytes
  }

  write(row: PortableRow): void {
    const text = `${JSON.stringify(row)}\n`
    this.#text.push(text)
    this.#chars += text.length
    this.#bytes += utf8Bytes(text)
    this.#rows++
    if (this.#chars >= CHUNK_CHARS) this.#flush()
  }

  /** Each once: two may be redacted to the same. */
  writeBody(hash: string, json: string): void {
    if (this.#bodies.has(hash)) return
    this.#bodies.add(hash)
    this.write({ type: 'body', hash, json })
  }

  end(branches: number): Blob {
    this.write({ type: 'end', branches, rows: this.#rows })
    this.#expected = this.#bytes
    this.#flush()
    return new Blob(this.#parts, { type: 'application/x-ndjson' })
  }

  #flush(): void {
    this.#parts.push(new Blob(this.#text))
    this.#text = []
    this.#chars = 0
    this.#onProgress?.({ bytes: this.#bytes, of: Math.max(this.#expected, this.#bytes) })
  }
}
