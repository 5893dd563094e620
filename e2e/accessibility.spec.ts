import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import { DemoPage } from './demo-page.ts'

async function faults(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

for (const colorScheme of ['light', 'dark'] as const)
  test.describe(`in ${colorScheme}`, () => {
    test.use({ colorScheme })

    test('axe finds nothing on the player, on no tab of the panel', async ({ page }) => {
      const demo = new DemoPage(page)
      await demo.open()
      await demo.playAsFastAsPossible()
      await demo.playToEnd()
      for (const tab of ['Requests', 'Messages', 'Folds'] as const) {
        await demo.openTab(tab)
        expect(await faults(page), tab).toEqual([])
      }
    })

    test('axe finds nothing on the chat, at its start and while a model works', async ({ page }) => {
      await page.goto('./')
      await expect(page.getByRole('region', { name: 'dogear' })).toBeVisible()
      expect(await faults(page)).toEqual([])
      await page.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(page.getByRole('tab', { name: /^Requests/ })).toHaveText(/[3-9]/)
      await page.getByRole('button', { name: 'Stop', exact: true }).click()
      await page.getByLabel('Model').selectOption('a server of yours')
      expect(await faults(page)).toEqual([])
    })

    test('axe finds nothing on the list of branches', async ({ page }) => {
      const demo = new DemoPage(page)
      await demo.open()
      await demo.step()
      await page.goto('branches.html')
      await page.getByRole('button', { name: 'Open', exact: true }).click()
      await page.getByRole('button', { name: 'Delete…' }).click()
      await expect(page.getByRole('region', { name: 'dogear' })).toBeVisible()
      expect(await faults(page)).toEqual([])
    })
  })
