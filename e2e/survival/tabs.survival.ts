import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import type { Served } from '../consumers/serve-folder.ts'
import { serveSurvivalPage } from './survival-page.ts'

const TABS = 4
const APPENDS = 2_000

let served: Served

test.beforeAll(async () => {
  served = await serveSurvivalPage()
})

test.afterAll(() => served.close())

async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto(served.address)
  await page.waitForFunction(() => 'survival' in window)
  return page
}

test(`keeps each of ${TABS * APPENDS} appends of ${TABS} tabs, in one order everywhere`, async ({
  context,
}) => {
  test.setTimeout(180_000)
  const tabs = await Promise.all(Array.from({ length: TABS }, () => openTab(context)))
  await Promise.all(
    tabs.map((tab, number) =>
      tab.evaluate(([own, appends]) => window.survival.append(own, appends), [number, APPENDS] as const),
    ),
  )
  const orders = await Promise.all(tabs.map((tab) => tab.evaluate(() => window.survival.keysInOrder())))
  for (const order of orders) expect(order).toEqual(orders[0])
  expect(new Set(orders[0]).size).toBe(TABS * APPENDS)
  // What one tab appended stands in the order in which it did.
  for (let tab = 0; tab < TABS; tab++)
    expect(orders[0]?.filter((key) => key.startsWith(`${tab}-`))).toEqual(
      Array.from({ length: APPENDS }, (_, number) => `${tab}-${number}`),
    )
})

test('makes two lines of what two tabs go on with at the same time, and loses nothing', async ({
  context,
}) => {
  const [one, two] = [await openTab(context), await openTab(context)]
  await one.evaluate(() => window.survival.say(['What is a harbour?']))
  await Promise.all([
    one.evaluate(() => window.survival.say(['What is a harbour?', 'A place for ships.', 'And a port?'])),
    two.evaluate(() => window.survival.say(['What is a harbour?', 'A place for ships.', 'And a quay?'])),
  ])
  for (const tab of [one, two]) {
    const told = await tab.evaluate(() => window.survival.told())
    expect(told.lines).toEqual([2, null])
    expect(told.verified.ok).toBe(true)
    expect(told.decisions).toBe(3)
  }
})

test('tells a tab of what another one did', async ({ context }) => {
  const [one, two] = [await openTab(context), await openTab(context)]
  await one.evaluate(() => window.survival.listen())
  await two.evaluate(() => window.survival.say(['Hello.', 'Hello to you.', 'What is new?']))
  await expect.poll(() => one.evaluate(() => window.survival.heard())).toBeGreaterThan(0)
})
