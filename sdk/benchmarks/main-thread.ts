import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { build, preview } from 'vite'
import { chromiumLaunchOptions } from '../../.ci/chromium.mjs'
import type { Visit } from './main-thread-page.ts'
import { longestTracedTasks, TRACE_CATEGORIES } from './traced-tasks.ts'

type TracedVisit = Visit & { readonly busiest: readonly number[] }

/**
 * For how long the page can do nothing else while dogear works for it, in Chromium: `npm run bench:main-thread`. Every
 * visit is a fresh page with an empty database, built as an app builds it.
 */
const VISITS = 5

/** Milliseconds: a frame, and what browsers call a long task. */
const FRAME = 16
const LONG = 50

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'dogear-main-thread-'))
  try {
    const visits = await visit(folder)
    const { messages = 0, bytes = 0 } = visits[0] ?? {}
    console.log(
      `\nMain thread in milliseconds, a chat of ${messages} messages and ${Math.round(bytes / 1000)} KB; load of the machine ${round(loadavg()[0] ?? Number.NaN)}`,
    )
    const steps = new Set(visits.flatMap(({ measured }) => measured.map(({ step }) => step)))
    console.table([...steps].map((step) => row(step, visits)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function row(step: string, visits: readonly TracedVisit[]): Record<string, string | number> {
  const measured = visits
    .flatMap((one) =>
      one.measured.map((each, place) => ({ ...each, busiest: one.busiest[place] ?? Number.NaN })),
    )
    .filter((each) => each.step === step)
  const busiest = measured.map((one) => one.busiest)
  const longest = measured.map((one) => one.longest)
  const took = measured.map((one) => one.took)
  return {
    step,
    runs: measured.length,
    'took p50': quantile(took, 0.5),
    'took p95': quantile(took, 0.95),
    'longest piece p50': quantile(longest, 0.5),
    p95: quantile(longest, 0.95),
    max: quantile(longest, 1),
    'longest task CPU p50': quantile(busiest, 0.5),
    'CPU p95': quantile(busiest, 0.95),
    'CPU max': quantile(busiest, 1),
    'CPU p95 / frame': round(quantile(busiest, 0.95) / FRAME),
    [`CPU max / ${LONG}`]: round(quantile(busiest, 1) / LONG),
    'long tasks': measured.reduce((sum, one) => sum + one.longTasks.length, 0),
  }
}

async function visit(folder: string): Promise<readonly TracedVisit[]> {
  const page = join(import.meta.dirname, 'main-thread-page.ts')
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
    const visits: TracedVisit[] = []
    while (visits.length < VISITS) {
      const context = await browser.newContext()
      const tab = await context.newPage()
      await tab.goto(server.resolvedUrls?.local[0] ?? '')
      await browser.startTracing(tab, { categories: TRACE_CATEGORIES })
      const one = await tab.evaluate(() => globalThis.measureMainThread())
      visits.push({ ...one, busiest: longestTracedTasks(await browser.stopTracing()) })
      await context.close()
    }
    return visits
  } finally {
    await browser.close()
    await server.close()
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return round(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN)
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

await main()
