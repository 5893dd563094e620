import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { rehearsalSolution } from '../../sdk/testing.ts'

const folder = import.meta.dirname
const keys = { OPENAI_API_KEY: '', ANTHROPIC_API_KEY: '' }

describe.each(['openai', 'anthropic', 'ai-sdk'])('npm run example:%s', (name) => {
  const file = join(folder, `${name}.ts`)

  it('needs no key: under its ceiling the model folds and tells at the end what was folded', () => {
    const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', 'tsx', file], {
      encoding: 'utf8',
      env: { ...process.env, ...keys },
    })
    expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
    const sizes = [...stdout.matchAll(/([\d,]+) of 16,000 tokens/g)].map(([, size = '']) =>
      Number(size.replace(',', '')),
    )
    expect(sizes.length).toBeGreaterThan(40)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(16_000)
    expect(stdout).toContain('tokens, folded ')
    expect(stdout.trimEnd().endsWith(rehearsalSolution)).toBe(true)
  }, 30_000)

  it('is short, so that it is read', () => {
    expect(readFileSync(file, 'utf8').split('\n').length).toBeLessThan(60)
  })
})
