import { existsSync } from 'node:fs'
import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import type { Plugin } from 'vite'
import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfig } from 'vitest/config'
import { chromiumLaunchOptions } from './.ci/chromium.mjs'
import { library } from './.ci/library.ts'
import { sharedFolder } from './.ci/project.mjs'

const unit: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'unit',
    environment: 'node',
    include: ['{sdk,panel,demo,.ci}/**/*.test.{ts,tsx}'],
    exclude: ['**/*.browser.test.{ts,tsx}', '**/*.{corpus,usage}.test.ts', '**/node_modules/**'],
    // A machine that does other things, too, must not turn a test red.
    testTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
  },
}

const browser: TestProjectInlineConfiguration = {
  extends: true,
  test: {
    name: 'browser',
    globalSetup: ['.ci/rehearsal-server.ts'],
    include: ['{sdk,panel,demo}/**/*.browser.test.{ts,tsx}'],
    testTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      provider: playwright({ launchOptions: chromiumLaunchOptions() }),
      instances: [{ browser: 'chromium' }],
    },
  },
}

/** Exist only where the data that they play does. */
const recorded = ['corpus', 'usage'].map(
  (name): TestProjectInlineConfiguration => ({
    extends: true,
    test: {
      name,
      environment: 'node',
      include: [`{sdk,panel,demo}/**/*.${name}.test.ts`],
      env: { DOGEAR_SHARED: sharedFolder },
      testTimeout: 300_000,
    },
  }),
)

/** What the built pages allow: their own files, WASM, and whatever server a person names. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self' blob:",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  'connect-src *',
].join('; ')

const strictPages: Plugin = {
  name: 'content-security-policy',
  apply: 'build',
  transformIndexHtml: () => [
    {
      tag: 'meta',
      attrs: { 'http-equiv': 'Content-Security-Policy', content: contentSecurityPolicy },
      injectTo: 'head-prepend',
    },
  ],
}

const app: ViteUserConfig = {
  root: 'demo',
  base: './',
  plugins: [react(), strictPages],
  worker: { format: 'es' },
  build: {
    rolldownOptions: {
      input: ['index.html', 'player.html', 'branches.html'].map((page) =>
        join(import.meta.dirname, 'demo', page),
      ),
    },
  },
  test: {
    root: import.meta.dirname,
    projects: [unit, browser, ...(existsSync(join(sharedFolder, 'data')) ? recorded : [])],
  },
}

export default defineConfig(({ mode }) => (mode === 'library' ? library : app))
