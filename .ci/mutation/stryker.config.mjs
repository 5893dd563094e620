/**
 * Mutates the engine and asks its tests. One file by itself:
 *
 *     npm run test:mutation -- --mutate sdk/engine/scale.ts
 *
 * Name no --testFiles: Stryker 9 would switch the mutants of a module's constants on after the module has been
 * loaded, and take each of them for a survivor.
 */
export default {
  mutate: ['sdk/engine/**/*.ts', '!**/*.test.ts'],
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: '.ci/mutation/vitest.config.ts', related: true },
  coverageAnalysis: 'perTest',
  concurrency: 1,
  dryRunTimeoutMinutes: 30,
  // Only what the tests read is copied. The tsconfig files stay out, for Stryker would rewrite them by the API of
  // an older TypeScript.
  ignorePatterns: ['**', '!package.json', '!.ci/mutation/**', '!sdk/**', '**/tsconfig*.json'],
  tempDirName: 'test-results/mutation/sandbox',
  incremental: true,
  incrementalFile: 'test-results/mutation/incremental.json',
  reporters: ['clear-text', 'html', 'json'],
  clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: 'test-results/mutation/report.html' },
  jsonReporter: { fileName: 'test-results/mutation/report.json' },
  thresholds: { high: 95, low: 90, break: 85 },
}
