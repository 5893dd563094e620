import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** A mutant is done with at the first test that fails, so what is near to it and quick comes first. */
class NearestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const longestFirst = await super.sort(files)
    const isNear = ({ moduleId }: TestSpecification) => moduleId.includes('/sdk/engine/')
    return longestFirst.reverse().toSorted((a, b) => Number(isNear(b)) - Number(isNear(a)))
  }
}

/**
 * The tests that mutants of the engine meet: those of the engine, then those of the session that plays it. A
 * mutant that only chance or a hostile input finds shows a rule without a test, so neither is asked. Stryker
 * runs every project of a configuration, which is why this one does not join the others.
 */
export default defineConfig({
  test: {
    root: join(import.meta.dirname, '../..'),
    environment: 'node',
    include: ['sdk/{,engine/**/,wire/**/}*.test.ts'],
    exclude: [
      'sdk/{architecture,bad-input}.test.ts',
      '**/*.{browser,corpus,usage,fuzz}.test.ts',
      '**/node_modules/**',
    ],
    sequence: { sequencer: NearestFirst },
    // Instrumented code is slow, and Stryker itself ends what no longer comes back.
    testTimeout: 60_000,
  },
})
