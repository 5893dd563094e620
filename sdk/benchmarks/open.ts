import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { build, preview } from 'vite'
import { chromiumLaunchOptions } from '../../.ci/chromium.mjs'
import type { Opened } from './open-page.ts'

/** Messages of 10 KB: 1, 10 and 50 MB. */
const SIZES = [100, 1000, 5000]

/** What it takes to open a stored branch to its first `prepare`, in Chromium, by the size of its record: `npm run bench:open`. */
async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dogear-open-'))
  try {
    const opened = await measure(folder)
    const [smallest] = opened
    console.table(
      opened.map(({ recordBytes, entries, viewEntries, openMs, prepareMs }) => ({
        'record, MB': Math.round(recordBytes / 100_000) / 10,
        entries,
        'in view': viewEntries,
        'open, ms': round(openMs),
        'first prepare, ms': round(prepareMs),
        'both / smallest': round(
          (openMs + prepareMs) / ((smallest?.openMs ?? 0) + (smallest?.prepareMs ?? 0)),
        ),
      })),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(folder: string): Promise<readonly Opened[]> {
  const page = join(import.meta.dirname, 'open-page.ts')
  writeFileSync(join(folder, 'index.html'), `<script type="module" src="${page}"></script>`)
  const settings = { root: folder, configFile: false, logLevel: 'error', worker: { format: 'es' } } as const
  await build({ ...settings, build: { outDir: 'dist', target: 'es2022' } })
  const server = await preview({
    ...settings,
    build: { outDir: 'dist' },
    preview: { host: '127.0.0.1', port: 0 },
  })
  const browser = await chromium.launch(chromiumLaunchOptions())
  try {
    const opened: Opened[] = []
    for (const entries of SIZES) {
      // A fresh database each time.
      const context = await browser.newContext()
      const tab = await context.newPage()
      await tab.goto(server.resolvedUrls?.local[0] ?? '')
      opened.push(await tab.evaluate((count) => globalThis.measureOpening(count), entries))
      await context.close()
    }
    return opened
  } finally {
    await browser.close()
    await new Promise((resolve) => server.httpServer.close(resolve))
  }
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

await main()
