import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './command.mjs'
import { resultsFolder } from './project.mjs'
import { addCounts, countStep, readReport } from './report.mjs'

/**
 * One thing to run, given as npm's arguments. A suite leaves a JSON report of its tests, a check is one pass or
 * one failure.
 *
 * @typedef {{ name: string, npm: readonly string[], suite?: 'vitest' | 'playwright', needsChromium?: boolean }} Step
 * @typedef {import('./report.mjs').Count & { name: string, seconds: number, note: string }} Outcome
 */

/**
 * Runs every step, whatever became of the ones before it, and prints a table and the closing line.
 *
 * @param {readonly Step[]} steps
 * @param {{ chromium?: string | undefined }} [tools]
 * @returns {Promise<number>} the exit code
 */
export async function runSteps(steps, { chromium } = {}) {
  mkdirSync(resultsFolder, { recursive: true })
  /** @type {Outcome[]} */
  const outcomes = []
  for (const step of steps) outcomes.push(await runStep(step, chromium))

  const nameWidth = Math.max(...outcomes.map(({ name }) => name.length))
  console.log('')
  for (const { name, passed, failed, seconds, note } of outcomes) {
    const counts = `${String(passed).padStart(6)} passed ${String(failed).padStart(4)} failed`
    console.log(`${name.padEnd(nameWidth)} ${counts} ${seconds.toFixed(1).padStart(7)} s  ${note}`.trimEnd())
  }
  const total = addCounts(outcomes)
  printTotal(total)
  return total.failed === 0 ? 0 : 1
}

/**
 * The closing line, which .ci/run and people's eyes look for.
 *
 * @param {import('./report.mjs').Count} total
 */
export function printTotal({ passed, failed }) {
  console.log(`\n${passed} passed, ${failed} failed`)
}

/**
 * @param {Step} step
 * @param {string | undefined} chromium
 * @returns {Promise<Outcome>}
 */
async function runStep({ name, npm: args, suite, needsChromium = false }, chromium) {
  console.log(`\n▶ ${name}`)
  if (needsChromium && !chromium) return { name, passed: 0, failed: 1, seconds: 0, note: 'no Chromium' }

  const reportFile = join(resultsFolder, `${name}.json`)
  rmSync(reportFile, { force: true })
  const started = performance.now()
  const { code, timedOut } = await npm([...args, ...reporterOptions(suite, reportFile)], {
    env: chromium ? { DOGEAR_CHROMIUM: chromium } : {},
  })
  return {
    name,
    ...countStep({ code, report: readReport(reportFile), isSuite: suite !== undefined }),
    seconds: (performance.now() - started) / 1000,
    note: timedOut ? 'stopped: it took too long' : '',
  }
}

/**
 * Playwright's configuration names its reporters itself.
 *
 * @param {Step['suite']} suite
 * @param {string} reportFile
 */
function reporterOptions(suite, reportFile) {
  if (suite !== 'vitest') return []
  // Vitest colours whatever it writes into, and a log file is read as plain text.
  const colors = process.stdout.isTTY ? [] : ['--no-color']
  return ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`, ...colors]
}
