import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'

const picture = fileURLToPath(new URL('../demo/screenshot.png', import.meta.url))

/** Writes the picture of the README where DOGEAR_PICTURE is set; else only sees that it can be made. */
test('the picture of the README', async ({ page }, info) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('./')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  const panel = page.getByRole('region', { name: 'dogear' })
  await expect(panel.getByRole('tab', { name: /^Folds/ })).toHaveText(/Folds\s*[2-9]/, { timeout: 90_000 })
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible()
  await expect(panel.locator('.chart-fold-mark')).toHaveAttribute('d', /M/)
  await page.screenshot({ path: process.env.DOGEAR_PICTURE ? picture : info.outputPath('screenshot.png') })
})
