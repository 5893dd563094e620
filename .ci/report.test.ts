import { describe, expect, it } from 'vitest'
import { countReport, countStep } from './report.mjs'

function vitestFile(status: string, ...tests: string[]) {
  return { status, assertionResults: tests.map((each) => ({ status: each })) }
}

describe('countReport', () => {
  it('counts the tests of every file', () => {
    const report = {
      testResults: [vitestFile('passed', 'passed', 'passed'), vitestFile('failed', 'failed', 'passed')],
    }
    expect(countReport(report)).toEqual({ passed: 3, failed: 1 })
  })

  it('counts a file that broke before its first test as a failure', () => {
    expect(countReport({ testResults: [vitestFile('failed'), vitestFile('passed', 'passed')] })).toEqual({
      passed: 1,
      failed: 1,
    })
  })

  it('counts what was skipped or left to be written as failed', () => {
    const report = { testResults: [vitestFile('passed', 'passed', 'skipped', 'pending', 'todo')] }
    expect(countReport(report)).toEqual({ passed: 1, failed: 3 })
  })

  it('counts skipped and flaky end-to-end tests and errors outside of tests as failed', () => {
    const report = {
      stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 1 },
      errors: [{ message: 'no server' }],
    }
    expect(countReport(report)).toEqual({ passed: 4, failed: 4 })
  })
})

describe('countStep', () => {
  const passing = { testResults: [vitestFile('passed', 'passed')] }

  it('counts a check as one pass or one failure', () => {
    expect(countStep({ code: 0, isSuite: false })).toEqual({ passed: 1, failed: 0 })
    expect(countStep({ code: 2, isSuite: false })).toEqual({ passed: 0, failed: 1 })
  })

  it('counts the tests of a suite', () => {
    expect(countStep({ code: 0, report: passing, isSuite: true })).toEqual({ passed: 1, failed: 0 })
  })

  it('fails a suite that ran no test or left no report', () => {
    expect(countStep({ code: 0, report: { testResults: [] }, isSuite: true })).toEqual({
      passed: 0,
      failed: 1,
    })
    expect(countStep({ code: 0, isSuite: true })).toEqual({ passed: 0, failed: 1 })
  })

  it('fails a suite whose command failed although all of its tests passed', () => {
    expect(countStep({ code: 1, report: passing, isSuite: true })).toEqual({ passed: 1, failed: 1 })
  })
})
