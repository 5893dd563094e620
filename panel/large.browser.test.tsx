import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { fakeSource, message } from './testing/fake-source.ts'
import {
  decided,
  decision,
  fold,
  foldedDecision,
  refusedDecision,
  snapshot,
} from './testing/journal-builder.ts'
import { type OpenedPanel, openPanel, waitFor } from './testing/open-panel.tsx'

let panel: OpenedPanel | undefined

afterEach(() => panel?.close())

const numbers = Array.from({ length: 5_000 }, (_, at) => at + 1)

function longConversation() {
  return fakeSource({
    snapshot: snapshot({
      decisions: numbers.map((number) =>
        number % 250 === 0
          ? refusedDecision(number)
          : number % 10 === 0
            ? foldedDecision(number)
            : decision(number, { after: 10_000 + (number % 10) * 4_000 }),
      ),
      folds: numbers.map((number) => fold(number)),
    }),
    messages: numbers.map((number) => message(number - 1)),
  })
}

const rowsInDocument = () => panel?.shadow.querySelectorAll('[role="row"]').length ?? 0

it('keeps fewer than 150 rows in the document for 5,000 requests, folds and messages', async () => {
  panel = await openPanel(longConversation())
  await expect.element(page.getByRole('tab', { name: /Requests 5,000/ })).toBeVisible()
  await expect.element(page.getByRole('grid', { name: 'Requests' })).toHaveAttribute('aria-rowcount', '5001')
  expect(rowsInDocument()).toBeGreaterThan(5)
  expect(rowsInDocument()).toBeLessThan(150)
  await page.getByRole('button', { name: 'Table' }).click()
  expect(rowsInDocument()).toBeLessThan(150)
  for (const name of ['Messages', 'Folds']) {
    await page.getByRole('tab', { name: new RegExp(name) }).click()
    await expect.element(page.getByRole('grid')).toHaveAttribute('aria-rowcount', '5001')
    expect(rowsInDocument()).toBeLessThan(150)
  }
})

it('fetches only the messages that are looked at', async () => {
  const source = longConversation()
  panel = await openPanel(source)
  await page.getByRole('tab', { name: /Messages/ }).click()
  await expect.element(page.getByText('text of entry 0', { exact: true })).toBeVisible()
  expect(source.asked.filter(({ type }) => type === 'get-messages').length).toBeLessThan(4)
  const body = await waitFor(() => panel?.shadow.querySelector('.grid'))
  body.scrollTop = body.scrollHeight
  await expect.element(page.getByText('text of entry 4999')).toBeVisible()
  expect(source.asked.filter(({ type }) => type === 'get-messages').length).toBeLessThan(8)
})

it('draws all 5,000 requests in a few paths and marks every fold and refusal', async () => {
  panel = await openPanel(longConversation())
  await page.getByRole('button', { name: 'All 5,000' }).click()
  const marks = await waitFor(() => panel?.shadow.querySelector('.chart-refusal-mark'))
  expect(marks.getAttribute('d')?.match(/M/g)).toHaveLength(20)
  const folds = panel.shadow.querySelector('.chart-fold-mark')
  expect(folds?.getAttribute('d')?.match(/M/g)).toHaveLength(480)
  expect(panel.shadow.querySelectorAll('svg *').length).toBeLessThan(120)
})

it('stays where a person scrolled to while requests come in', async () => {
  const source = fakeSource({
    snapshot: snapshot({ decisions: numbers.slice(0, 1_000).map((number) => decision(number)) }),
  })
  panel = await openPanel(source)
  const body = await waitFor(() => panel?.shadow.querySelector('.grid-requests'))
  await expect.poll(() => body.scrollTop).toBeGreaterThan(20_000)
  body.scrollTop = 2_600
  await expect.poll(() => panel?.shadow.querySelector('[aria-rowindex="105"]')).not.toBeNull()
  source.emit(decided(decision(1_001)))
  await expect.element(page.getByRole('tab', { name: /Requests 1,001/ })).toBeVisible()
  await new Promise((resolve) => setTimeout(resolve, 300))
  expect(body.scrollTop).toBe(2_600)
})

it('follows the newest request while it is live', async () => {
  const source = longConversation()
  panel = await openPanel(source)
  await expect.element(page.getByRole('row', { name: /^5000 / })).toBeVisible()
  source.emit(decided(decision(5_001)))
  await expect.element(page.getByRole('row', { name: /^5001 / })).toBeVisible()
})

it('keeps the newest request in sight when the list gets shorter', async () => {
  panel = await openPanel(longConversation())
  const list = await waitFor(() => panel?.shadow.querySelector<HTMLElement>('.grid-requests'))
  const room = () => list.scrollHeight - list.scrollTop - list.clientHeight
  await expect.poll(room).toBeLessThan(2)
  list.style.maxHeight = `${list.clientHeight - 10}px`
  await expect.poll(room).toBeLessThan(2)
})

it('shows hostile text as text', async () => {
  const hostile =
    '<img src=x onerror="window.attacked = true"><script>window.attacked = true</script>\u0000\u202e'
  const source = fakeSource({
    snapshot: snapshot({
      decisions: [decision(1, { model: hostile, requestId: hostile })],
      folds: [
        fold(1, {
          calls: [{ index: 0, function: hostile, arguments: hostile, outputChars: 4 }],
        }),
      ],
    }),
    messages: [message(0, { preview: hostile, name: hostile, state: 'out', foldId: hostile })],
    texts: { 0: hostile },
  })
  source.answers.restore = () => ({ type: 'refused', reason: hostile })
  panel = await openPanel(source)
  await page.getByRole('tab', { name: /Folds/ }).click()
  await expect.element(page.getByRole('heading', { name: /Fold 1/ })).toBeVisible()
  await page.getByRole('tab', { name: /Messages/ }).click()
  await page.getByRole('row', { name: /out/ }).click()
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await page.getByRole('button', { name: 'Read', exact: true }).click()
  const text = await waitFor(() => panel?.shadow.querySelector('pre'))
  expect(text.textContent).toBe(hostile)
  expect(panel.shadow.querySelectorAll('img, script')).toHaveLength(0)
  expect('attacked' in window).toBe(false)
})
