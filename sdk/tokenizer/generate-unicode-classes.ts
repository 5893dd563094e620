import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { referenceUnicodeRuns } from './reference-unicode-runs.ts'

/** Writes `unicode-classes.generated.ts` from the reference encoder's own idea of the classes. */
writeFileSync(
  join(import.meta.dirname, 'unicode-classes.generated.ts'),
  [
    '/** Runs of code points from 0 on: the name of the class, then the length in base 36 where it is not 1. */',
    `export const unicodeRuns = '${referenceUnicodeRuns()}'\n`,
  ].join('\n'),
)
