import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'
import { expect, test } from '@playwright/test'
import { root } from '../.ci/project.mjs'

test('npm start serves the demo and prints its address', async ({ page }) => {
  const start = spawn(process.execPath, ['.ci/start.mjs', '--port', '0'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await page.goto(await printedAddress(start))
    await expect(page).toHaveTitle('dogear')
    await expect(page.getByRole('heading', { name: 'dogear' })).toBeVisible()
  } finally {
    start.kill()
    await once(start, 'exit')
  }
})

async function printedAddress({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('npm start has no output to read')
  for await (const line of createInterface(stdout)) {
    const address = stripVTControlCharacters(line).match(/Local:\s+(http:\S+)/)?.[1]
    if (address) return address
  }
  throw new Error('npm start ended without an address')
}
