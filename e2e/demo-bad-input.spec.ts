import { expect, type Page, test } from '@playwright/test'
import { DemoPage } from './demo-page.ts'

const hello = { role: 'user', content: 'Hello' }
const body = (messages: readonly object[]) => JSON.stringify({ model: 'gpt-4o', messages })

async function openWith(page: Page, text: string): Promise<DemoPage> {
  const demo = new DemoPage(page)
  await demo.open()
  await demo.drop('dropped.json', text)
  return demo
}

/** The sample can still be played. */
async function expectUsable(demo: DemoPage): Promise<void> {
  await demo.expectIdle()
  await demo.step()
  await expect(demo.player.getByText('1 of 69 rounds played')).toBeVisible()
  await demo.problems.getByRole('button', { name: 'Dismiss' }).first().click()
  await expect(demo.problems).toBeHidden()
}

const unreadable = [
  ['a malformed transcript', '{"messages": [{"role": "user", "content": "Hel'],
  ['an unknown format', '{"events": [{"speaker": "me", "words": "Hello"}]}'],
  ['an empty list', '{"messages": []}'],
  ['a message that is none', body(['Hello' as unknown as object])],
] as const

for (const [what, text] of unreadable) {
  test(`${what} is refused with a sentence, and the page goes on`, async ({ page }) => {
    const demo = await openWith(page, text)
    await expect(demo.problems).toContainText('transcript_unreadable')
    await expect(demo.problems).toContainText(/expected .+, got .+; .+/)
    await expectUsable(demo)
  })
}

test('blocks of unknown types pass', async ({ page }) => {
  const odd = {
    role: 'user',
    content: [
      { type: 'hologram', depth: 3 },
      { type: 'text', text: 'Do you see it?' },
    ],
  }
  const demo = await openWith(page, body([odd, { role: 'assistant', content: 'No.' }]))
  await demo.expectOpen('dropped.json')
  await demo.playToEnd()
  await expect(demo.conversation.getByText('Do you see it?')).toBeVisible()
  await expect(demo.conversation.getByText('Round 1 sent')).toBeVisible()
})

test('a result that answers no call is played, with a warning that says what is wrong', async ({ page }) => {
  const orphan = { role: 'tool', tool_call_id: 'nobody', content: '42' }
  const demo = await openWith(page, body([hello, orphan]))
  await demo.expectOpen('dropped.json')
  await demo.playToEnd()
  await expect(demo.problems.getByRole('listitem')).toHaveCount(1)
  await expect(demo.conversation.getByText('Round 1 sent')).toBeVisible()
})

test('a message of 5 MB is refused under the ceiling and sent without it', async ({ page }) => {
  const words = 'the tide gauge rose by a hand and fell again, '
  const long = { role: 'user', content: words.repeat(Math.ceil(5_000_000 / words.length)) }
  const demo = await openWith(page, body([long, { role: 'assistant', content: 'Noted.' }, hello]))
  await demo.expectOpen('dropped.json')
  await demo.step()
  await expect(demo.conversation.getByText('input_ceiling_exceeded')).toBeVisible()
  await demo.set('Ceiling', 5_000_000)
  await demo.step()
  await expect(demo.conversation.getByText('Round 2 sent')).toBeVisible()
})
