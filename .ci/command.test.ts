import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { run } from './command.mjs'

describe('run', () => {
  let folder: string

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dogear '))
  })

  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  const node = (script: string, options?: Parameters<typeof run>[2]) =>
    run(process.execPath, ['-e', script], options)

  it('answers with the exit code', async () => {
    expect(await node('process.exit(3)')).toEqual({ code: 3, timedOut: false })
  })

  it('answers with a failure where there is no such command', async () => {
    expect(await run(join(folder, 'missing'), [])).toEqual({ code: 1, timedOut: false })
  })

  it('ends a command that takes too long, and what that one started', async () => {
    const file = join(folder, 'ticks')
    const grandchild = `setInterval(() => require('fs').appendFileSync(${JSON.stringify(file)}, '.'), 10)`
    const child = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}])`
    expect(await node(child, { minutes: 1 / 60 })).toEqual({ code: 1, timedOut: true })
    const ticks = readFileSync(file, 'utf8').length
    await setTimeout(300)
    expect(readFileSync(file, 'utf8')).toHaveLength(ticks)
  })

  it('listens for signals only while a command runs', async () => {
    const before = process.listenerCount('SIGTERM')
    await node('')
    expect(process.listenerCount('SIGTERM')).toBe(before)
  })
})
