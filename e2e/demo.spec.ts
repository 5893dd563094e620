import { expect, test } from '@playwright/test'
import { DemoPage } from './demo-page.ts'
import { harbourTranscript } from './harbour-transcript.ts'

const transcript = harbourTranscript(84)
const title = 'harbour.json'

test('a long transcript stays under a quarter of its size, and what was folded is still there', async ({
  page,
}) => {
  const demo = new DemoPage(page)
  expect(transcript.messages).toBeGreaterThan(200)

  await test.step('measure it under a ceiling that it never reaches', async () => {
    await demo.open()
    await demo.drop(title, transcript.text)
    await demo.expectOpen(title)
    await demo.set('Ceiling', 1_000_000)
    await demo.playAsFastAsPossible()
    await demo.playToEnd()
  })
  const whole = await demo.requests(transcript.rounds)
  expect(whole.every(({ outcome }) => outcome === 'Sent')).toBe(true)
  const ceiling = Math.floor((whole.at(-1)?.tokens ?? 0) / 4)
  expect(ceiling).toBeGreaterThan(5_000)

  await test.step('play it again under a quarter of that', async () => {
    await demo.startOver()
    await demo.set('Ceiling', ceiling)
    await demo.playToEnd()
  })
  const played = await demo.requests(transcript.rounds)
  for (const { tokens } of played) expect(tokens).toBeLessThanOrEqual(ceiling)
  const folds = played.filter(({ outcome }) => outcome.startsWith('Folded'))
  expect(folds.length).toBeGreaterThan(2)
  await expect(demo.chartFolds).toHaveAttribute('d', /M/)

  const [result] = transcript.results.filter(({ text }) => text.includes('🛢') && text.length > 1_000)
  if (!result)
    throw new Error('the transcript must hold a long result with characters outside the basic plane')
  const original = [...result.text]

  await test.step('read a folded result back by range', async () => {
    await demo.chooseFolded(result.begins)
    expect(await demo.readRange(0, 4_000)).toBe(result.text)
    expect(await demo.readRange(200, 900)).toBe(original.slice(200, 900).join(''))
  })

  const foldCount = await demo.countOf('Folds')
  await test.step('find all of it again after a reload', async () => {
    await page.reload()
    await demo.expectOpen(title)
    await expect(demo.conversation.getByText('folded').first()).toBeAttached()
    await expect.poll(() => demo.countOf('Folds')).toBe(foldCount)
    expect(await demo.requests(transcript.rounds)).toEqual(played)
    await demo.chooseFolded(result.begins)
    expect(await demo.readRange(200, 900)).toBe(original.slice(200, 900).join(''))
  })
})

test('the sample plays at once, and its settings act from the next round', async ({ page }) => {
  const demo = new DemoPage(page)
  await demo.open()
  await demo.button('Play the sample').click()
  await expect(demo.panel.getByRole('meter')).toBeVisible({ timeout: 2_000 })
  await demo.button('Pause').click()
  await demo.expectIdle()

  await demo.set('Ceiling', 12_000)
  await demo.step()
  await expect(demo.conversation.getByText('of 12,000 tokens')).toBeVisible()

  await demo.set('Fold target', 90)
  await expect(demo.player.getByText('invalid_policy')).toBeVisible()
  await expect(demo.setting('Fold target')).toHaveAttribute('aria-invalid', 'true')
  await expect(demo.setting('Ceiling')).toHaveAttribute('aria-invalid', 'false')
  await demo.step()
  await expect(demo.conversation.getByText('of 12,000 tokens')).toHaveCount(2)
  await demo.set('Fold target', 40)
  await expect(demo.player.getByText('invalid_policy')).toBeHidden()

  await demo.playAsFastAsPossible()
  await demo.playToEnd()
  await expect(demo.conversation.getByText(/^Round \d+ folded \d+ entries/).first()).toBeAttached()
})

test('playing goes on after a reload from the round where it stood', async ({ page }) => {
  const demo = new DemoPage(page)
  await demo.open()
  await demo.step()
  await demo.step()
  await page.reload()
  await demo.expectIdle()
  await expect(demo.button('Play on')).toBeEnabled()
  await expect(demo.player.getByText('2 of 69 rounds played')).toBeVisible()
  await demo.step()
  await expect(demo.player.getByText('3 of 69 rounds played')).toBeVisible()
  await demo.startOver()
  await expect(demo.player.getByText('0 of 69 rounds played')).toBeVisible()
})
