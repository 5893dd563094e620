import { afterEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeSource, message } from './testing/fake-source.ts'
import { decision, fold, foldedDecision, snapshot } from './testing/journal-builder.ts'
import { type OpenedPanel, openPanel } from './testing/open-panel.tsx'

let panel: OpenedPanel | undefined

afterEach(() => panel?.close())

const decisions = [decision(1), foldedDecision(2), decision(3), foldedDecision(4), decision(5)]

async function open(size: Parameters<typeof openPanel>[1] = {}): Promise<OpenedPanel> {
  panel = await openPanel(
    fakeSource({
      snapshot: snapshot({ decisions, folds: [fold(2), fold(4)] }),
      messages: [message(0), message(1)],
    }),
    size,
  )
  await expect.element(page.getByRole('grid', { name: 'Requests' })).toBeVisible()
  return panel
}

const viewed = () => panel?.shadow.querySelector('.detail h2 .quiet')?.textContent
const press = (keys: string) => userEvent.keyboard(keys)

async function focusTab(): Promise<void> {
  await page.getByRole('tab', { name: /Requests/ }).click()
}

it('moves through requests and folds, and back to live', async () => {
  await open()
  await focusTab()
  expect(viewed()).toBe('#5')
  await press('k')
  await expect.poll(viewed).toBe('#4')
  await press('{ArrowUp}')
  await expect.poll(viewed).toBe('#3')
  await press('{[}')
  await expect.poll(viewed).toBe('#2')
  await press('{]}')
  await expect.poll(viewed).toBe('#4')
  await press('j')
  await expect.poll(viewed).toBe('#5')
})

it('goes to either end in the list, and returns to live', async () => {
  await open()
  panel?.shadow.querySelector<HTMLElement>('[role="grid"]')?.focus()
  await press('{Home}')
  await expect.poll(viewed).toBe('#1')
  await expect.element(page.getByRole('button', { name: 'Viewing #1' })).toBeVisible()
  await press('l')
  await expect.poll(viewed).toBe('#5')
  await expect.element(page.getByRole('button', { name: 'Live' })).toBeVisible()
})

it('names the active row of the list', async () => {
  await open()
  const grid = panel?.shadow.querySelector<HTMLElement>('[role="grid"]')
  grid?.focus()
  await press('{ArrowUp}')
  await expect.poll(viewed).toBe('#4')
  const active = panel?.shadow.getElementById(grid?.getAttribute('aria-activedescendant') ?? '')
  expect(active?.getAttribute('aria-selected')).toBe('true')
  expect(active?.firstElementChild?.textContent).toBe('4')
})

it('chooses a request in the chart', async () => {
  await open()
  const slider = page.getByRole('slider', { name: 'Viewed request' })
  slider.element().focus()
  await press('{ArrowLeft}')
  await expect.element(slider).toHaveAttribute('aria-valuetext', 'Request 4. Folded 2 entries to fit 64,000')
  await press('{Home}')
  await expect.element(slider).toHaveAttribute('aria-valuenow', '1')
})

it('chooses the request whose bar is clicked', async () => {
  await open()
  const bars = await vi.waitUntil(() => panel?.shadow.querySelector('.chart-hit'), { timeout: 5_000 })
  const { width, height } = bars.getBoundingClientRect()
  await userEvent.click(bars, { position: { x: width * 0.3, y: height / 2 } })
  await expect.poll(viewed).toBe('#2')
})

it('walks the tabs with the arrows', async () => {
  await open()
  await focusTab()
  await press('{ArrowRight}')
  await expect.element(page.getByRole('tab', { name: /Messages/ })).toHaveAttribute('aria-selected', 'true')
  await press('{ArrowLeft}{ArrowLeft}')
  const folds = page.getByRole('tab', { name: /Folds/ })
  await expect.element(folds).toHaveAttribute('aria-selected', 'true')
  expect(panel?.shadow.activeElement).toBe(folds.element())
})

it('searches, and Escape closes what was opened last', async () => {
  await open()
  await focusTab()
  await press('/')
  await press('#3')
  await expect.element(page.getByText('1 of 5')).toBeVisible()
  await press('{Escape}')
  await expect.element(page.getByRole('searchbox')).toHaveValue('')
  await focusTab()
  await press('?')
  await expect.element(page.getByRole('dialog', { name: 'Keyboard' })).toBeVisible()
  await press('{Escape}')
  await expect.poll(() => page.getByRole('dialog').elements()).toEqual([])
})

it('takes letters typed in a field as text', async () => {
  await open()
  await page.getByRole('searchbox').click()
  await press('jk[[l?')
  await expect.element(page.getByRole('searchbox')).toHaveValue('jk[l?')
  expect(page.getByRole('dialog').elements()).toEqual([])
})

it('goes from the list to the detail and back in a narrow panel', async () => {
  const { shadow } = await open({ width: 360, height: 700 })
  shadow.querySelector<HTMLElement>('[role="grid"]')?.focus()
  await press('{Enter}')
  await expect.element(page.getByRole('button', { name: '← Back' })).toBeVisible()
  expect(shadow.querySelector('.split-start')?.getClientRects()).toHaveLength(0)
  expect(shadow.activeElement?.className).toBe('split-end')
  await press('{Escape}')
  await expect.poll(() => shadow.activeElement?.getAttribute('role')).toBe('grid')
})

it('keeps its keys from the app', async () => {
  await open()
  const heard = vi.fn()
  document.addEventListener('keydown', heard)
  await focusTab()
  await press('jk/')
  document.removeEventListener('keydown', heard)
  expect(heard).not.toHaveBeenCalled()
})
