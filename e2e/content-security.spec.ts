import { expect, test } from '@playwright/test'

for (const address of ['./', 'player.html', 'branches.html'])
  test(`${address} works under its own content security policy, which allows no inline code or style`, async ({
    page,
  }) => {
    const said: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') said.push(message.text())
    })
    page.on('pageerror', ({ message }) => said.push(message))
    await page.goto(address)
    const policy = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content')
    expect(policy).toContain("'wasm-unsafe-eval'")
    expect(policy).not.toContain('unsafe-inline')
    await expect(page.getByRole('heading', { name: 'dogear' })).toBeVisible()
    if (address !== 'branches.html') await expect(page.getByRole('region', { name: 'dogear' })).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(said).toEqual([])
  })
