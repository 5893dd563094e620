import { createServer } from 'node:net'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromiumLaunchOptions } from '../.ci/chromium.mjs'
import { resultsFolder, root } from '../.ci/project.mjs'

// Workers read this file again and inherit the environment, so one port is chosen for the whole run.
process.env.DOGEAR_E2E_PORT ??= String(await freePort())
const port = process.env.DOGEAR_E2E_PORT
const baseURL = `http://127.0.0.1:${port}/`

export default defineConfig({
  testDir: '.',
  testIgnore: ['**/consumers/**', '**/survival/**'],
  outputDir: join(resultsFolder, 'e2e'),
  reporter: [['list'], ['json', { outputFile: join(resultsFolder, 'e2e.json') }]],
  forbidOnly: true,
  retries: 0,
  workers: 1,
  timeout: 120_000,
  globalTimeout: 15 * 60_000,
  use: { baseURL, launchOptions: chromiumLaunchOptions(), trace: 'retain-on-failure' },
  webServer: {
    // The built page: a development server would reload it whenever a source file changes.
    command: [
      'npm exec -- vite build --logLevel error --outDir ../test-results/demo --emptyOutDir',
      `npm exec -- vite preview --outDir ../test-results/demo --host 127.0.0.1 --port ${port} --strictPort`,
    ].join(' && '),
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
