import { readFileSync } from 'node:fs'

/**
 * @typedef {{ passed: number, failed: number }} Count
 * @typedef {{ status: string, assertionResults?: { status: string }[] }} VitestFile
 * @typedef {{ testResults: VitestFile[] }} VitestReport
 * @typedef {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number }, errors?: unknown[] }} PlaywrightReport
 */

/**
 * What a suite's JSON report says. Whatever is neither passed nor failed (skipped, flaky, to be written) counts
 * as failed, and so does a file that broke before its first test: nothing may vanish from the total.
 *
 * @param {VitestReport | PlaywrightReport} report
 * @returns {Count}
 */
export function countReport(report) {
  if ('stats' in report) {
    const { expected, unexpected, flaky, skipped } = report.stats
    return { passed: expected, failed: unexpected + flaky + skipped + (report.errors?.length ?? 0) }
  }
  const counts = report.testResults.map(({ status, assertionResults = [] }) => {
    const passed = assertionResults.filter((test) => test.status === 'passed').length
    const failed = assertionResults.length - passed
    return { passed, failed: status === 'failed' ? Math.max(failed, 1) : failed }
  })
  return addCounts(counts)
}

/**
 * The count of one finished step. The exit code has the last word: a step that failed counts at least one
 * failure, and a suite that passed without a single test is a failure.
 *
 * @param {{ code: number, report?: VitestReport | PlaywrightReport | undefined, isSuite: boolean }} step
 * @returns {Count}
 */
export function countStep({ code, report, isSuite }) {
  const { passed, failed } = report
    ? countReport(report)
    : { passed: isSuite || code !== 0 ? 0 : 1, failed: 0 }
  const isWrong = code !== 0 || passed === 0
  return { passed, failed: isWrong ? Math.max(failed, 1) : failed }
}

/**
 * @param {readonly Count[]} counts
 * @returns {Count}
 */
export function addCounts(counts) {
  return {
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
  }
}

/**
 * @param {string} path
 * @returns {VitestReport | PlaywrightReport | undefined} undefined where the suite wrote none that can be read
 */
export function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
