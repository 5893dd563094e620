import { createServer } from 'node:net'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromiumLaunchOptions } from '../.ci/chromium.mjs'

const root = join(import.meta.dirname, '..')
const results = join(root, 'test-results')

// Workers read this file again and inherit the environment, so the port is chosen once for a run.
process.env.DOGEAR_E2E_PORT ??= String(await freePort())
const baseURL = `http://127.0.0.1:${process.env.DOGEAR_E2E_PORT}/`

export default defineConfig({
  testDir: '.',
  testIgnore: '**/consumers/**',
  outputDir: join(results, 'e2e'),
  reporter: [['list'], ['json', { outputFile: join(results, 'e2e.json') }]],
  forbidOnly: true,
  retries: 0,
  workers: 1,
  timeout: 120_000,
  globalTimeout: 10 * 60_000,
  use: { baseURL, launchOptions: chromiumLaunchOptions(), trace: 'retain-on-failure' },
  webServer: {
    command: `npm exec -- vite --host 127.0.0.1 --port ${process.env.DOGEAR_E2E_PORT} --strictPort`,
    cwd: root,
    url: baseURL,
    reuseExistingServer: false,
  },
})

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => (typeof address === 'object' && address ? resolve(address.port) : reject(address)))
    })
  })
}
