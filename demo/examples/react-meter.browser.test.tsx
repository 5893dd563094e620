import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { mount } from '../../sdk/testing/mount.tsx'
import { openDogear, send } from '../../sdk/testing/react-chat.ts'
import { ContextLine } from './react-meter.tsx'

it('shows how full the context is, and brings back what was folded', async () => {
  const dogear = openDogear()
  await dogear.warmUp()
  const branch = await dogear.branch('chat')
  const { place } = mount(<ContextLine dogear={dogear} chatId="chat" />, { strict: true })
  await expect.element(page.getByText('The size is known with the first message.')).toBeVisible()
  await send(branch, 4)
  await expect.poll(() => place.textContent).toMatch(/^ \d\d% of 6,000 tokens$/)
  await send(branch, 8)
  const folded = await branch.status()
  expect(folded.folded).toBeGreaterThan(0)
  await branch.setPolicy({ maxInputTokens: 20_000 })
  await page.getByRole('button', { name: 'Bring back what was folded last' }).click()
  await expect.poll(async () => (await branch.status()).folded).toBeLessThan(folded.folded)
  const { after } = (await branch.preview()) ?? {}
  await expect.poll(() => place.querySelector('meter')?.value).toBe(after)
  expect(place.querySelector('meter')?.max).toBe(20_000)
})
