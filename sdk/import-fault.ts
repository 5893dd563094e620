import { DogearError } from './errors.ts'

/** What is wrong with a file of branches, and in which line, counted from 1; never what the line says. */
export function importFault(expected: string, actual: string, line?: number): DogearError {
  const place = line === undefined ? 'the file' : `line ${line} of the file`
  return new DogearError({
    code: 'import_unreadable',
    message: `${place} could not be imported: expected ${expected}, but found ${actual}. Nothing was changed; export it again where it comes from`,
    fields: { expected, ...(line === undefined ? {} : { line }) },
  })
}
