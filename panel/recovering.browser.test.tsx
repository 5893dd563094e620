import { afterEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeSource, message } from './testing/fake-source.ts'
import { decision, fold, foldedDecision, snapshot } from './testing/journal-builder.ts'
import { type OpenedPanel, openPanel } from './testing/open-panel.tsx'

let panel: OpenedPanel | undefined

afterEach(() => panel?.close())

const longText = Array.from({ length: 2_500 }, (_, line) => `${String(line).padStart(4, '0')}😀`).join('')

function world() {
  return fakeSource({
    snapshot: snapshot({ decisions: [decision(1), foldedDecision(2)], folds: [fold(2)] }),
    messages: Array.from({ length: 11 }, (_, index) => {
      if (index === 9) return message(index, { kind: 'note', state: 'note' })
      if (index === 3) return message(index, { kind: 'call', state: 'out', foldId: 'fold-2', name: 'search' })
      if (index === 4) return message(index, { state: 'out', foldId: 'fold-2', name: 'search' })
      return message(index, { kind: 'answer' })
    }),
    texts: { 4: longText },
  })
}

async function openEntry(source: ReturnType<typeof world>, index: number) {
  panel = await openPanel(source)
  await page.getByRole('tab', { name: /Messages/ }).click()
  await page.getByRole('row', { name: new RegExp(`text of entry ${index}$|text of entry ${index} `) }).click()
}

it('lists entries in send order with their states', async () => {
  panel = await openPanel(world())
  await page.getByRole('tab', { name: /Messages/ }).click()
  await expect.element(page.getByRole('row', { name: /^9 note/ })).toBeVisible()
  const rows = [...panel.shadow.querySelectorAll('[role="row"]')].slice(1)
  expect(rows.map((row) => row.children[0]?.textContent)).toEqual([
    ...['0', '1', '2', '9', '3', '4', '5', '6', '7', '8', '10'],
  ])
  expect(rows.slice(3, 6).map((row) => row.children[1]?.textContent)).toEqual(['note', 'out', 'out'])
})

it('restores an entry and says what the next request becomes', async () => {
  const source = world()
  await openEntry(source, 4)
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect.element(page.getByText('Restored 1 entry. The next request is about 45,100.')).toBeVisible()
  expect(source.asked).toContainEqual({ type: 'restore', start: 4, end: 5 })
})

it('shows the reason when a restore is refused', async () => {
  const source = world()
  source.answers.restore = () => ({ type: 'refused', reason: 'with it the next request is over its ceiling' })
  await openEntry(source, 4)
  await page.getByRole('button', { name: 'Restore', exact: true }).click()
  await expect
    .element(page.getByText('Not restored: with it the next request is over its ceiling'))
    .toBeVisible()
})

it('offers no restore for what is in the request already', async () => {
  await openEntry(world(), 5)
  await expect.element(page.getByText('Stands in the next request, word for word.')).toBeVisible()
  expect(page.getByRole('button', { name: /Restore/ }).elements()).toEqual([])
})

it('reads a range by code points, then the next piece, and asks for nothing else', async () => {
  const source = world()
  await openEntry(source, 4)
  await page.getByRole('spinbutton', { name: 'From' }).fill('4')
  await page.getByRole('spinbutton', { name: 'to', exact: true }).fill('11')
  await page.getByRole('button', { name: 'Read', exact: true }).click()
  await expect.element(page.getByText('4–11 of 12,500, next at 11')).toBeVisible()
  expect(panel?.shadow.querySelector('pre')?.textContent).toBe('😀0001😀0')
  await page.getByRole('button', { name: 'Next 4,000' }).click()
  await expect.element(page.getByText('11–4,011 of 12,500, next at 4,011')).toBeVisible()
  expect(source.asked.filter(({ type }) => type === 'read-result')).toEqual([
    { type: 'read-result', index: 4, offset: 4, limit: 7 },
    { type: 'read-result', index: 4, offset: 11, limit: 4_000 },
  ])
})

it('says where a text ends', async () => {
  await openEntry(world(), 4)
  await page.getByRole('spinbutton', { name: 'From' }).fill('12498')
  await page.getByRole('spinbutton', { name: 'to', exact: true }).fill('20000')
  await page.getByRole('button', { name: 'Read', exact: true }).click()
  await expect.element(page.getByText('12,498–12,500 of 12,500, the end')).toBeVisible()
})

it('shows the reason when a read fails', async () => {
  const source = world()
  source.answers['read-result'] = () => ({ type: 'refused', reason: 'the body is missing' })
  await openEntry(source, 4)
  await page.getByRole('button', { name: 'Read', exact: true }).click()
  await expect.element(page.getByText('Not read: the body is missing')).toBeVisible()
})

it('never shows a late answer for another entry', async () => {
  const source = world()
  let deliver = (_text: string): void => undefined
  source.answers['read-result'] = () =>
    new Promise((resolve) => {
      deliver = (text) => resolve({ type: 'result', result: { text, total: 9, nextOffset: null } })
    })
  await openEntry(source, 4)
  await page.getByRole('button', { name: 'Read', exact: true }).click()
  await page.getByRole('row', { name: /text of entry 5/ }).click()
  deliver('of entry 4')
  await new Promise((resolve) => setTimeout(resolve, 100))
  await expect.element(page.getByText('Stands in the next request, word for word.')).toBeVisible()
  expect(panel?.shadow.querySelector('pre')).toBeNull()
})

it('shows the newest read of an entry even when an older one is answered last', async () => {
  const source = world()
  const deliver: ((text: string) => void)[] = []
  source.answers['read-result'] = () =>
    new Promise((resolve) => {
      deliver.push((text) => resolve({ type: 'result', result: { text, total: 9, nextOffset: null } }))
    })
  await openEntry(source, 4)
  await page.getByRole('button', { name: 'Read', exact: true }).click()
  await page.getByRole('button', { name: 'Read', exact: true }).click()
  deliver[1]?.('newer')
  deliver[0]?.('older')
  await expect.poll(() => panel?.shadow.querySelector('pre')?.textContent).toBe('newer')
})

it('restores a whole fold from the list of folds', async () => {
  const source = world()
  panel = await openPanel(source)
  await page.getByRole('tab', { name: /Folds 1/ }).click()
  await page.getByRole('button', { name: 'Restore all' }).click()
  await expect.element(page.getByText(/Restored 2 entries/)).toBeVisible()
  expect(source.asked).toContainEqual({ type: 'restore-fold', foldId: 'fold-2' })
})

it('leads from a fold to the note that stands there instead', async () => {
  panel = await openPanel(world())
  await page.getByRole('tab', { name: /Folds 1/ }).click()
  await page.getByRole('button', { name: 'Show note 9' }).click()
  await expect.element(page.getByRole('heading', { name: '#9 note' })).toBeVisible()
})

it('reads the entry that it leads to, however far it is and however narrow the panel', async () => {
  panel = await openPanel(
    fakeSource({
      snapshot: snapshot({ decisions: [foldedDecision(2)], folds: [fold(2, { noteIndex: 209 })] }),
      messages: Array.from({ length: 250 }, (_, index) =>
        index === 209 ? message(index, { kind: 'note', state: 'note' }) : message(index),
      ),
    }),
    { width: 360 },
  )
  await page.getByRole('tab', { name: /Folds 1/ }).click()
  await page.getByRole('row', { name: /^1 / }).click()
  await page.getByRole('button', { name: 'Show note 209' }).click()
  await expect.element(page.getByRole('heading', { name: '#209 note' })).toBeVisible()
})

it('shows the request that it leads to, whatever was filtered before', async () => {
  panel = await openPanel(world())
  await page.getByRole('button', { name: 'Refused' }).click()
  await expect.element(page.getByText('No request matches.')).toBeVisible()
  await page.getByRole('tab', { name: /Folds 1/ }).click()
  await page.getByRole('button', { name: 'Show request 2' }).click()
  await expect.element(page.getByRole('row', { name: /^2 .* Folded 2/ })).toBeVisible()
})

it('offers no restore for a fold that was undone', async () => {
  panel = await openPanel(
    fakeSource({
      snapshot: snapshot({ decisions: [decision(2)], folds: [fold(2, { outcome: 'rolled_back' })] }),
    }),
  )
  await page.getByRole('tab', { name: /Folds 1/ }).click()
  await expect.element(page.getByText(/It was undone: no gain/)).toBeVisible()
  expect(page.getByRole('button', { name: /Restore/ }).elements()).toEqual([])
})

it('finds entries by what they say', async () => {
  panel = await openPanel(world())
  await page.getByRole('tab', { name: /Messages/ }).click()
  await page.getByRole('searchbox').fill('search')
  await expect.element(page.getByText('2 of 11')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('row', { name: /^10 / })).toBeVisible()
})
