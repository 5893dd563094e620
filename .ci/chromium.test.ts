import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findChromium, onPath } from './chromium.mjs'

describe('findChromium', () => {
  let first: string
  let second: string

  beforeEach(() => {
    first = mkdtempSync(join(tmpdir(), 'dogear first '))
    second = mkdtempSync(join(tmpdir(), 'dogear second '))
  })

  afterEach(() => {
    rmSync(first, { recursive: true })
    rmSync(second, { recursive: true })
  })

  function command(folder: string, name: string, exitCode: number): string {
    const path = join(folder, name)
    writeFileSync(path, `#!/bin/sh\nexit ${exitCode}\n`)
    chmodSync(path, 0o755)
    return path
  }

  const searching = () => ({ PATH: [first, second].join(delimiter) })

  it('takes the browser that DOGEAR_CHROMIUM names', () => {
    command(first, 'chromium', 0)
    expect(findChromium({ ...searching(), DOGEAR_CHROMIUM: 'named' })).toBe('named')
  })

  it('takes the first browser on PATH', () => {
    const chrome = command(first, 'google-chrome', 0)
    command(second, 'chromium', 0)
    expect(findChromium(searching())).toBe(chrome)
  })

  it('passes over a command that does not start', () => {
    command(first, 'chromium-browser', 1)
    const chrome = command(second, 'google-chrome-stable', 0)
    expect(findChromium(searching())).toBe(chrome)
  })

  it('knows no command that is not there', () => {
    expect(onPath(['chromium'], searching())).toEqual([])
    expect(onPath(['chromium'], {})).toEqual([])
  })
})
