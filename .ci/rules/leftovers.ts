import { isGenerated, type TreeFile } from './tree.ts'

// Written so that no pattern matches its own text.
const everywhere: readonly (readonly [RegExp, string])[] = [
  [/\/(?:tmp|root|work)\/|\/home\/[a-z]+\//, 'a path of one machine'],
  [
    /\b(?:registry\.npmjs|registry\.yarnpkg|deb\.debian|archive\.ubuntu)\.(?:org|com)\b/,
    'the host of a registry',
  ],
]

const whereWritten: readonly (readonly [RegExp, string])[] = [
  [/\b(?:T[O]DO|F[I]XME|X[X]X)\b/, 'a note to self'],
  [
    /\b(?:it|test|describe|suite|bench)(?:\.[a-z]+)*\.(?:only|skip|todo|fails|fixme|skipIf|runIf)\b/i,
    'a test that is focused, skipped or expected to fail',
  ],
]

/** One sentence for each line that tells of a machine or of unfinished work. */
export function leftoverViolations(files: readonly TreeFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    // Hashes and encoded data can spell anything.
    const isWritten = path !== 'package-lock.json' && !isGenerated(path)
    const patterns = isWritten ? [...everywhere, ...whereWritten] : everywhere
    return patterns.flatMap(([pattern, what]) =>
      text
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1} holds ${what}`] : [])),
    )
  })
}
