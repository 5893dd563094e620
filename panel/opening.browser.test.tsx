import { afterEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { mountPanel } from './mount.tsx'
import { fakeSource, foldPreview } from './testing/fake-source.ts'
import {
  decided,
  decision,
  fold,
  foldedDecision,
  refusedDecision,
  snapshot,
} from './testing/journal-builder.ts'
import { type OpenedPanel, openPanel } from './testing/open-panel.tsx'

const opened: OpenedPanel[] = []
const open = async (...args: Parameters<typeof openPanel>) => {
  const panel = await openPanel(...args)
  opened.push(panel)
  return panel
}

afterEach(() => {
  for (const panel of opened.splice(0)) panel.close()
})

const past = snapshot({ decisions: [decision(1), foldedDecision(2), refusedDecision(3)], folds: [fold(2)] })

it('replays what happened before it was opened', async () => {
  await open(fakeSource({ snapshot: past, preview: foldPreview() }))
  await expect.element(page.getByRole('tab', { name: 'Requests 3 1 refused' })).toBeVisible()
  await expect.element(page.getByRole('row', { name: /Folded 2/ })).toBeVisible()
  await expect
    .element(page.getByText('41,200 of 64,000 (est.) · folds in 13,200 · refuses in 22,800'))
    .toBeVisible()
})

it('says so when no ceiling is in force', async () => {
  await open(fakeSource({ preview: foldPreview({ ceiling: null, line: null, target: null }) }))
  await expect.element(page.getByText('41,200 (est.) · no ceiling is in force')).toBeVisible()
})

it('says what will appear and how to make it appear while nothing has happened', async () => {
  await open(fakeSource())
  await expect.element(page.getByText(/Send one message through dogear/)).toBeVisible()
  await expect.element(page.getByText('is not known yet: send one message')).toBeVisible()
})

it('shows a request as it happens and tells a screen reader of a refusal', async () => {
  const source = fakeSource({ snapshot: past })
  const { shadow } = await open(source)
  await expect.element(page.getByRole('tab', { name: /Requests 3/ })).toBeVisible()
  expect(shadow.querySelector('[aria-live="polite"]')?.textContent).toBe('')
  source.emit(decided(refusedDecision(4)))
  await expect.element(page.getByRole('heading', { name: '#4 Refused: 70,000 is over 64,000' })).toBeVisible()
  expect(shadow.querySelector('[aria-live="polite"]')?.textContent).toBe(
    'Request 4. Refused: 70,000 is over 64,000',
  )
})

it('gives the reason when the source fails, and tries again', async () => {
  const source = fakeSource({ snapshot: past })
  const { takeSnapshot } = source
  source.takeSnapshot = () => Promise.reject(new Error('the database is closed'))
  await open(source)
  await expect.element(page.getByRole('alert')).toHaveTextContent('the database is closed')
  source.takeSnapshot = takeSnapshot
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByRole('tab', { name: /Requests 3/ })).toBeVisible()
})

it('keeps a fault inside the pane that it happened in', async () => {
  const broken = decision(1)
  Object.defineProperty(broken, 'parts', {
    get: () => {
      throw new Error('no parts')
    },
  })
  await open(fakeSource({ snapshot: snapshot({ decisions: [broken] }) }))
  await expect.element(page.getByText(/The chart could not be shown/)).toBeVisible()
  await expect.element(page.getByText(/The detail could not be shown/)).toBeVisible()
  await expect.element(page.getByRole('row', { name: /^1 .* Sent/ })).toBeVisible()
})

it('keeps the selection of two panels on one page apart', async () => {
  const source = fakeSource({ snapshot: past })
  const first = await open(source, { height: 340 })
  const second = await open(source, { height: 340 })
  await expect.poll(() => second.shadow.querySelectorAll('[aria-selected="true"]').length).toBeGreaterThan(0)
  first.shadow.querySelector<HTMLElement>('[role="row"][aria-rowindex="2"]')?.click()
  await expect.poll(() => first.shadow.querySelector('.detail h2')?.textContent).toMatch(/^#1 /)
  expect(second.shadow.querySelector('.detail h2')?.textContent).toMatch(/^#3 /)
  expect(second.shadow.querySelector('.live')?.textContent).toBe('Live')
})

it('leaves nothing behind when it is unmounted', async () => {
  const source = fakeSource({ snapshot: past })
  const container = document.createElement('div')
  document.body.append(container)
  const unmount = mountPanel({ source, container })
  await expect.poll(() => source.listeners.size).toBe(1)
  unmount()
  await expect.poll(() => source.listeners.size).toBe(0)
  expect(container.shadowRoot?.childElementCount).toBe(0)
  container.remove()
})

it('follows light and dark by its theme, and the system without one', async () => {
  const container = document.createElement('div')
  document.body.append(container)
  const unmount = mountPanel({ source: fakeSource(), container })
  const ground = () => {
    const panel = container.shadowRoot?.querySelector('.panel')
    return panel ? getComputedStyle(panel).backgroundColor : null
  }
  await expect.poll(ground).toBe('rgb(255, 255, 255)')
  container.dataset.theme = 'dark'
  expect(ground()).toBe('rgb(22, 24, 28)')
  unmount()
  container.remove()
})
