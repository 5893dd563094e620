import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { DemoPage } from './demo-page.ts'

const picture = fileURLToPath(new URL('../demo/screenshot.png', import.meta.url))

/** Writes the picture of the README where DOGEAR_PICTURE is set; else only sees that it can be made. */
test('the picture of the README', async ({ page }, info) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  const demo = new DemoPage(page)
  await demo.open()
  await demo.playAsFastAsPossible()
  await demo.playToEnd()
  await expect(demo.chartFolds).toHaveAttribute('d', /M/)
  await page.screenshot({ path: process.env.DOGEAR_PICTURE ? picture : info.outputPath('screenshot.png') })
})
