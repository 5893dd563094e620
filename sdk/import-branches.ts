import * as v from 'valibot'
import { digestInPieces } from './digest-in-pieces.ts'
import type { Digest } from './engine/digest.ts'
import { DogearError } from './errors.ts'
import { fileLines } from './file-lines.ts'
import { importFault } from './import-fault.ts'
import { type ImportedBranch, importedChange, requireWholeBranch } from './imported-branch.ts'
import { PORTABLE_FORMAT, PORTABLE_VERSION, type PortableProgress } from './portable-file.ts'
import { portableRow, type ReadRow } from './portable-rows.ts'
import type { BranchRow, BranchStore, NewId } from './ports.ts'
import { throwIfAborted } from './prepare-options.ts'
import type { PieceOptions } from './run-in-pieces.ts'

export interface ImportOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: PortableProgress) => void
}

/** Larger files are refused before they are read: all of it is checked before any of it is stored. */
const MOST_BYTES = 1_000_000_000

interface ReadFile {
  readonly branches: readonly ImportedBranch[]
  /** JSON texts by their hash. */
  readonly bodies: ReadonlyMap<string, string>
}

/** Stores the branches of a portable file, all of them or none, each under an id that is free. */
export async function importBranches(
  file: Blob,
  options: ImportOptions & {
    readonly store: BranchStore
    readonly newId: NewId
    readonly pieces: PieceOptions
    readonly digest: Digest
  },
): Promise<readonly BranchRow[]> {
  const { store, newId, signal } = options
  const { branches, bodies } = await readPortableFile(file, options)
  const taken = new Set((await store.branches()).map(({ id }) => id))
  const changes = branches.map((branch) => {
    const id = freeId(branch.row.id, taken)
    taken.add(id)
    return importedChange(branch, { id, revision: newId(), bodies })
  })
  throwIfAborted(signal)
  await store.commit(...changes)
  return changes.map(({ branch }) => branch)
}

function freeId(id: string, taken: ReadonlySet<string>): string {
  let free = id
  for (let number = 2; taken.has(free); number++) free = `${id} (${number})`
  return free
}

/**
 * Reads a portable file and checks all of it: every row, what they say of each other, and every body against its hash.
 * Rejects with `import_unreadable` where anything is not as it must be, and with `aborted` by its signal.
 */
async function readPortableFile(
  file: Blob,
  options: ImportOptions & { readonly pieces: PieceOptions; readonly digest: Digest },
): Promise<ReadFile> {
  if (file.size > MOST_BYTES)
    throw importFault(`a file of ${MOST_BYTES} bytes at the most`, `one of ${file.size}`)
  const reader = new FileReading()
  for await (const { text, place } of fileLines(file, options)) {
    await options.pieces.breathe()
    const row = rowOf(text, place)
    if (row.type === 'body') await requireOwnHash(row, place, options)
    reader.take(row, place)
  }
  return reader.whole()
}

function rowOf(text: string, place: number): ReadRow {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw importFault('JSON in each line', 'other text', place)
  }
  const checked = v.safeParse(portableRow, value)
  if (checked.success) return checked.output
  const [issue] = checked.issues
  const path = issue.path?.map(({ key }) => String(key)).join('.') ?? ''
  throw importFault(
    `${path || 'the line'} to be ${issue.expected ?? 'a row of this format'}`,
    'something else',
    place,
  )
}

/** What is stored under a hash is trusted by it, so it must be what the hash says, written as it would be here. */
async function requireOwnHash(
  { hash, json }: { readonly hash: string; readonly json: string },
  place: number,
  { pieces, digest }: { readonly pieces: PieceOptions; readonly digest: Digest },
): Promise<void> {
  let written: string
  try {
    written = JSON.stringify(JSON.parse(json))
  } catch {
    throw importFault('a body to be JSON', 'other text', place)
  }
  const own = await digestInPieces(json, digest, pieces)
  if (written !== json || own !== hash)
    throw importFault('a body to be the text that its hash names', 'another text', place)
}

/** Rows in their order, as an export writes them. */
class FileReading {
  readonly #bodies = new Map<string, string>()
  readonly #branches: ImportedBranch[] = []
  #rows = 0
  #isEnded = false

  take(row: ReadRow, place: number): void {
    if (this.#isEnded) throw importFault('nothing after the end', `a ${row.type}`, place)
    if ((this.#rows === 0) !== (row.type === 'header'))
      throw importFault('the header first, and once', `a ${row.type}`, place)
    switch (row.type) {
      case 'header':
        requireHeader(row, place)
        break
      case 'body':
        this.#bodies.set(row.hash, row.json)
        break
      case 'branch':
        this.#branches.push({ row: row.row, lines: [], entries: [], journal: [] })
        break
      case 'line':
        this.#current(place).lines.push(row.row)
        break
      case 'entry':
        this.#current(place).entries.push(row.row)
        break
      case 'journal':
        this.#current(place).journal.push(row.row)
        break
      case 'end':
        if (row.rows !== this.#rows || row.branches !== this.#branches.length)
          throw importFault(
            `${row.rows} lines and ${row.branches} branches ahead of the end`,
            'others',
            place,
          )
        this.#isEnded = true
    }
    this.#rows++
  }

  whole(): ReadFile {
    if (!this.#isEnded) throw importFault('an end', 'a file that breaks off', this.#rows)
    for (const branch of this.#branches) requireWholeBranch(branch, this.#bodies)
    return { branches: this.#branches, bodies: this.#bodies }
  }

  #current(place: number): ImportedBranch {
    const branch = this.#branches.at(-1)
    if (branch === undefined) throw importFault('a branch ahead of its rows', 'none', place)
    return branch
  }
}

function requireHeader(
  { format, v: version }: { readonly format: string; readonly v: number },
  place: number,
): void {
  if (format !== PORTABLE_FORMAT) throw importFault(`a file of format ${PORTABLE_FORMAT}`, 'another', place)
  if (version > PORTABLE_VERSION)
    throw new DogearError({
      code: 'import_unreadable',
      message: `the file is of version ${version}, and this dogear reads ${PORTABLE_VERSION} at the most; import it with a newer one. Nothing was changed`,
      fields: { version },
    })
}
