import { StrictMode } from 'react'
import { createRoot, type Root } from 'react-dom/client'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { DogearDevtools } from './DogearDevtools.tsx'
import { fakeSource } from './testing/fake-source.ts'
import { decision, snapshot } from './testing/journal-builder.ts'

let root: Root
let place: HTMLElement

beforeEach(async () => {
  localStorage.clear()
  await page.viewport(1000, 700)
  place = document.createElement('div')
  document.body.append(place)
  root = createRoot(place)
})

afterEach(() => {
  root.unmount()
  place.remove()
})

function show(source = fakeSource({ snapshot: snapshot({ decisions: [decision(1)] }) })) {
  root.render(
    <StrictMode>
      <DogearDevtools source={source} />
    </StrictMode>,
  )
  return source
}

const toggle = () => page.getByRole('button', { name: 'dogear', exact: true })
const frame = () => page.getByRole('region', { name: 'dogear devtools' })

it('asks for nothing until it is opened, and runs nothing once it is closed', async () => {
  const source = fakeSource({ snapshot: snapshot({ decisions: [decision(1)] }) })
  const asked = vi.spyOn(source, 'snapshot')
  const heard = vi.spyOn(source, 'subscribe')
  show(source)
  await expect.element(toggle()).toHaveAttribute('aria-expanded', 'false')
  expect(asked).not.toHaveBeenCalled()
  expect(heard).not.toHaveBeenCalled()
  await toggle().click()
  await expect.element(frame().getByRole('tab', { name: /Requests/ })).toBeVisible()
  await expect.poll(() => asked.mock.calls.length).toBeGreaterThan(0)
  await frame().getByRole('button', { name: 'Close' }).click()
  await expect.element(frame()).not.toBeInTheDocument()
  expect(place.firstElementChild?.shadowRoot?.activeElement?.className).toBe('toggle')
})

it('opens and closes by its keys, wherever the keyboard is, and by no others', async () => {
  show()
  await expect.element(toggle()).toBeVisible()
  await userEvent.keyboard('{Control>}{Shift>}{Alt>}d{/Alt}{/Shift}{/Control}')
  await expect.element(frame()).not.toBeInTheDocument()
  await userEvent.keyboard('{Control>}{Shift>}d{/Shift}{/Control}')
  await expect.element(frame()).toBeVisible()
  await userEvent.keyboard('{Control>}{Shift>}d{/Shift}{/Control}')
  await expect.element(frame()).not.toBeInTheDocument()
})

it('is as it was left: open, and as high', async () => {
  show()
  await toggle().click()
  const handle = () => frame().getByRole('separator', { name: 'Height of the panel' })
  await expect.element(handle()).toHaveAttribute('aria-valuenow', '420')
  handle().element().focus()
  await userEvent.keyboard('{ArrowUp}{ArrowUp}{ArrowDown}{PageUp}')
  await expect.element(handle()).toHaveAttribute('aria-valuenow', '540')
  root.unmount()
  root = createRoot(place)
  show()
  await expect.element(handle()).toHaveAttribute('aria-valuenow', '540')
  expect(frame().element().getBoundingClientRect().height).toBeCloseTo(541, 0)
})

it('is never higher than the page, nor lower than it is of use', async () => {
  localStorage.setItem('dogear-devtools', JSON.stringify({ isOpen: true, height: 9000 }))
  show()
  const handle = frame().getByRole('separator')
  await expect.element(handle).toHaveAttribute('aria-valuenow', String(700 - 48))
  handle.element().focus()
  for (let press = 0; press < 8; press++) await userEvent.keyboard('{PageDown}')
  await expect.element(handle).toHaveAttribute('aria-valuenow', '240')
})

it('takes what was remembered for nothing where that is nothing it knows', async () => {
  localStorage.setItem('dogear-devtools', '[oh')
  show()
  await expect.element(toggle()).toHaveAttribute('aria-expanded', 'false')
})

it('leaves nothing behind', async () => {
  show()
  await toggle().click()
  await expect.element(frame().getByRole('tab', { name: /Requests/ })).toBeVisible()
  root.render(null)
  await expect.poll(() => place.innerHTML).toBe('')
  await userEvent.keyboard('{Control>}{Shift>}d{/Shift}{/Control}')
  await expect.element(frame()).not.toBeInTheDocument()
})
