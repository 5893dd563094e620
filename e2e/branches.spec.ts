import { expect, type Locator, type Page, test } from '@playwright/test'
import { DemoPage } from './demo-page.ts'

/** The page that lists what is kept. */
class BranchesPage {
  readonly page: Page
  readonly rows: Locator
  readonly problem: Locator

  constructor(page: Page) {
    this.page = page
    this.rows = page.getByRole('table').first().getByRole('rowheader')
    this.problem = page.getByRole('alert')
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true })
  }

  import(name: string, text: string): Promise<void> {
    const file = { name, mimeType: 'application/octet-stream', buffer: Buffer.from(text) }
    return this.page.getByLabel('File of branches').setInputFiles(file)
  }
}

async function withOneBranch(page: Page): Promise<BranchesPage> {
  const demo = new DemoPage(page)
  await demo.open()
  await demo.step()
  await page.getByRole('link', { name: 'Branches' }).click()
  const branches = new BranchesPage(page)
  await expect(branches.rows).toHaveCount(1)
  return branches
}

test('lists a branch, exports it, deletes it, and has it again from the file', async ({ page }) => {
  const branches = await withOneBranch(page)
  const name = (await branches.rows.first().textContent()) ?? ''
  const exporting = page.waitForEvent('download')
  await branches.button('Export').click()
  const download = await exporting
  expect(download.suggestedFilename()).toMatch(/\.dogear$/)
  const file = await download.path()

  await branches.button('Delete…').click()
  await branches.button('Keep it').click()
  await expect(branches.rows).toHaveCount(1)
  await branches.button('Delete…').click()
  await branches.button('Delete for good').click()
  await expect(page.getByText('Nothing is kept in this browser yet.')).toBeVisible()

  await page.getByLabel('File of branches').setInputFiles(file)
  await expect(branches.rows).toHaveText([name])
  await page.getByLabel('File of branches').setInputFiles(file)
  await expect(branches.rows).toHaveCount(2)

  await branches.button('Open').first().click()
  await expect(page.getByRole('region', { name: 'dogear' })).toBeVisible()
  await page.reload()
  await expect(branches.rows).toHaveCount(2)
})

test('says what is wrong with a file, and changes nothing', async ({ page }) => {
  const branches = await withOneBranch(page)
  await branches.import('diary.dogear', 'Dear diary,')
  await expect(branches.problem).toContainText('line 1 of the file could not be imported')
  await expect(branches.problem).not.toContainText('diary')
  await expect(branches.rows).toHaveCount(1)
})

test('shows the storage of the site, and what another tab adds', async ({ page, context }) => {
  const branches = await withOneBranch(page)
  await expect(page.getByText(/ of .* used\./)).toBeVisible()
  const other = await context.newPage()
  await other.goto('branches.html')
  const exporting = page.waitForEvent('download')
  await branches.button('Export all').click()
  await other.getByLabel('File of branches').setInputFiles(await (await exporting).path())
  await expect(new BranchesPage(other).rows).toHaveCount(2)
  await page.bringToFront()
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(branches.rows).toHaveCount(2)
})
