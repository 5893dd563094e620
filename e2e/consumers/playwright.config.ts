import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromiumLaunchOptions } from '../../.ci/chromium.mjs'
import { resultsFolder } from '../../.ci/project.mjs'

export default defineConfig({
  testDir: '.',
  testMatch: '*.consumer.ts',
  outputDir: join(resultsFolder, 'consumers'),
  reporter: [['list'], ['json', { outputFile: join(resultsFolder, 'consumers.json') }]],
  forbidOnly: true,
  retries: 0,
  workers: 1,
  timeout: 60_000,
  globalTimeout: 5 * 60_000,
  use: { launchOptions: chromiumLaunchOptions() },
})
