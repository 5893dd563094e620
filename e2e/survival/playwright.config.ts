import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromiumLaunchOptions } from '../../.ci/chromium.mjs'
import { resultsFolder } from '../../.ci/project.mjs'

export default defineConfig({
  testDir: '.',
  testMatch: '*.survival.ts',
  outputDir: join(resultsFolder, 'survival'),
  reporter: [['list'], ['json', { outputFile: join(resultsFolder, 'survival.json') }]],
  forbidOnly: true,
  retries: 0,
  workers: 1,
  timeout: 60_000,
  globalTimeout: 20 * 60_000,
  use: { launchOptions: chromiumLaunchOptions() },
})
