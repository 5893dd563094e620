import { type Browser, expect, type Page, test } from '@playwright/test'
import type { Served } from '../consumers/serve-folder.ts'
import { serveSurvivalPage, type Told, type Work } from './survival-page.ts'

const seeds = Number(process.env.DOGEAR_KILL_SEEDS ?? 200)
const works: readonly Work[] = ['fold', 'settle', 'import']

/** Longer than the first steps of any work take, and shorter than a test may. */
const LONGEST_MS = 1_500

let served: Served

test.beforeAll(async () => {
  served = await serveSurvivalPage()
})

test.afterAll(() => served.close())

for (let seed = 1; seed <= seeds; seed++) {
  const work = works[seed % works.length] ?? 'fold'
  const isKilled = seed % 2 === 0
  const end = isKilled ? 'its process killed' : 'its tab closed'

  test(`[R68, R383] a page that has ${end} during ${work} leaves nothing half done (seed ${seed})`, async ({
    browser,
  }) => {
    const context = await browser.newContext()
    const told = new Map<string, Told>()
    const page = await context.newPage()
    await page.exposeFunction('acknowledge', (what: Told) => {
      told.set(what.id ?? what.imported?.join() ?? '', what)
    })
    await page.goto(served.address)
    await page.waitForFunction(() => 'survival' in window)
    const working = page.evaluate(([name, number]) => window.survival.works[name](number), [
      work,
      seed,
    ] as const)
    let isEnding = false
    const ended = working.catch((error: unknown) => {
      if (!isEnding) throw error
    })
    // From the first that was told on, so that there is something to lose.
    await Promise.race([
      ended,
      expect.poll(() => told.size, { timeout: 20_000, intervals: [5] }).toBeGreaterThan(0),
    ])
    await new Promise((resolve) => setTimeout(resolve, momentOf(seed)))
    isEnding = true
    await (isKilled ? kill(browser, page) : page.close())
    await ended

    const after = await context.newPage()
    await after.goto(served.address)
    await after.waitForFunction(() => 'survival' in window)
    const checked = await after.evaluate(([number, what]) => window.survival.check(number, what), [
      seed,
      [...told.values()],
    ] as const)
    expect(checked.problems).toEqual([])
    expect(checked.branches).toBeGreaterThanOrEqual(1)
    // What was imported is there whole, each time.
    if (work === 'import') expect(checked.counts).toHaveLength(1)
    await context.close()
  })
}

/** Of the time that a work is under way, the same for a seed each time (mulberry32). */
function momentOf(seed: number): number {
  let mixed = (seed * 0x6d2b79f5) >>> 0
  mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * LONGEST_MS
}

/**
 * Ends the process that renders the page at once, as a crash does. Nothing says which it is: of those that render, the
 * one that has worked most, and where that was the browser's own, the next.
 */
async function kill(browser: Browser, page: Page): Promise<void> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  const rendering = processInfo.filter(({ type }) => type === 'renderer')
  let isCrashed = false
  page.once('crash', () => {
    isCrashed = true
  })
  for (const { id } of rendering.sort((one, other) => other.cpuTime - one.cpuTime)) {
    process.kill(id, 'SIGKILL')
    for (let waited = 0; waited < 1_000 && !isCrashed; waited += 20)
      await new Promise((resolve) => setTimeout(resolve, 20))
    if (isCrashed) break
  }
  expect(isCrashed).toBe(true)
  await session.detach()
  await page.close()
}
