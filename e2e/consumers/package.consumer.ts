import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { root } from '../../.ci/project.mjs'
import {
  bundleWithEsbuild,
  bundleWithRollup,
  bundleWithVite,
  bundleWithWebpack,
  serveWithVite,
  withoutBundler,
} from './bundle.ts'
import { countInPage } from './count-in-page.ts'
import { installPackage } from './install-package.ts'
import { type Served, serveFolder } from './serve-folder.ts'

const texts = ['hello world', 'a'.repeat(100_000), '<|endoftext|>']
const exactly = [2, 12_500, 7]
const everywhere = { before: exactly, after: exactly, here: exactly, exact: true }

/** The folder of an app that has the package installed. */
let app: string

/** What serves the app in the test that runs. */
let served: Served | undefined

test.beforeAll(() => {
  app = installPackage()
})

test.afterEach(async () => {
  await served?.close()
  served = undefined
})

test.afterAll(() => rmSync(app, { recursive: true }))

test.describe('counts in its worker and on the page', () => {
  const consumers = {
    'built by Vite 8': async () => serveFolder(await bundleWithVite(app)),
    'served by Vite 8': () => serveWithVite(app),
    'built by Vite 7': async () => serveFolder(await bundleWithVite(app, 'vite7')),
    'served by Vite 7': () => serveWithVite(app, 'vite7'),
    'built by Vite 5': async () => serveFolder(await bundleWithVite(app, 'vite5')),
    'served by Vite 5': () => serveWithVite(app, 'vite5'),
    'built by Rollup': async () => serveFolder(await bundleWithRollup(app)),
    'built by webpack': async () => serveFolder(await bundleWithWebpack(app)),
    'built by esbuild': async () => serveFolder(await bundleWithEsbuild(app)),
    'without a bundler': async () => serveFolder(await withoutBundler(app)),
  }
  for (const [name, serve] of Object.entries(consumers)) {
    test(name, async ({ page }) => {
      served = await serve()
      await page.goto(served.address)
      expect(await countInPage(page, texts)).toEqual({ ...everywhere, wasm: 'ready', fallbacks: [] })
      expect(page.workers()).toHaveLength(1)
    })
  }
})

test.describe('counts exactly under a content security policy', () => {
  const policies = [
    {
      name: 'that blocks WASM and blobs: in script, in a worker from its file',
      policy: "default-src 'self'; img-src data:",
      expected: { wasm: 'blocked', fallbacks: ['wasm to script'] },
      workers: 1,
    },
    {
      name: 'that blocks WASM and workers: in script, on the page',
      policy: "default-src 'self'; img-src data:; worker-src 'none'",
      expected: { wasm: 'not wanted', fallbacks: ['worker to inline'] },
      workers: 0,
    },
  ]
  for (const { name, policy, expected, workers } of policies) {
    test(name, async ({ page }) => {
      served = await serveFolder(await bundleWithVite(app), {
        'content-security-policy': policy,
      })
      await page.goto(served.address)
      expect(await countInPage(page, texts)).toEqual({ ...everywhere, ...expected })
      expect(page.workers()).toHaveLength(workers)
    })
  }
})

test('estimates where the ranks cannot be loaded, and counts when they can', async ({ page }) => {
  served = await serveFolder(await bundleWithVite(app))
  await page.route(/ranks/, (route) => route.abort())
  await page.goto(served.address)
  await page.waitForFunction(() => 'dogear' in window)

  const offline = await page.evaluate(async () => {
    const tokenizer = window.dogear.createTokenizer()
    const [tokens] = await tokenizer.count(['hello world'])
    return { tokens, exact: tokenizer.exact }
  })
  expect(offline).toEqual({ tokens: 8, exact: false })

  await page.unroute(/ranks/)
  const online = await page.evaluate(async () => {
    const tokenizer = window.dogear.createTokenizer()
    const [tokens] = await tokenizer.count(['hello world'])
    return { tokens, exact: tokenizer.exact }
  })
  expect(online).toEqual({ tokens: 2, exact: true })
})

test('importing every entry in Node does nothing', () => {
  const printed = execFileSync(process.execPath, ['import-entries.mjs'], { cwd: app, encoding: 'utf8' })
  const { names, touched, added } = JSON.parse(printed)
  expect(touched).toEqual([])
  expect(added).toEqual([])
  expect(Object.keys(names)).toEqual(
    expect.arrayContaining([
      'dogear',
      'dogear/tokenizer',
      'dogear/ai-sdk',
      'dogear/react',
      'dogear/testing',
      'dogear/panel',
      'dogear/panel/production',
    ]),
  )
  for (const exported of Object.values(names)) expect(exported).not.toHaveLength(0)
})

test('leaves what holds hooks to the browser where a framework renders on a server', () => {
  for (const entry of ['sdk/react', 'panel/index']) {
    const text = readFileSync(join(app, `node_modules/dogear/dist/${entry}.js`), 'utf8')
    expect(text).toMatch(/^["']use client["']/)
  }
})

for (const resolution of ['bundler', 'nodenext']) {
  test(`declares its types for module resolution "${resolution}"`, () => {
    const module = resolution === 'bundler' ? 'esnext' : 'nodenext'
    const options = ['--ignoreConfig', '--strict', '--noEmit', '--target', 'es2022', '--jsx', 'react-jsx']
    const modules = ['--module', module, '--moduleResolution', resolution]
    const compiler = join(root, 'node_modules/typescript/bin/tsc')
    const { stdout, status } = spawnSync(process.execPath, [compiler, ...options, ...modules, 'types.ts'], {
      cwd: app,
      encoding: 'utf8',
    })
    expect(stdout).toBe('')
    expect(status).toBe(0)
  })
}
