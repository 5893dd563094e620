import { renderToString } from 'react-dom/server'
import { expect, it, vi } from 'vitest'
import type { Branch } from './branch.ts'
import type { Dogear } from './dogear.ts'
import { useBranch, useContextMeter, useFolds } from './react.ts'
import { openDogear, send } from './testing/react-chat.ts'

function Opened({ dogear }: { readonly dogear: Dogear }) {
  return JSON.stringify(useBranch(dogear, 'chat'))
}

function Facts({ branch }: { readonly branch: Branch }) {
  return JSON.stringify([useContextMeter(branch), useFolds(branch)])
}

it('opens nothing on a server', () => {
  const dogear = openDogear()
  const open = vi.spyOn(dogear, 'branch')
  const html = renderToString(<Opened dogear={dogear} />)
  expect(html).toBe(renderToString(JSON.stringify({ branch: null, error: null })))
  expect(open).not.toHaveBeenCalled()
})

it('asks a branch for nothing on a server', async () => {
  const branch = await openDogear().branch('chat')
  await send(branch, 8)
  const asked = [vi.spyOn(branch, 'subscribe'), vi.spyOn(branch, 'preview'), vi.spyOn(branch, 'journal')]
  expect(renderToString(<Facts branch={branch} />)).toBe('[null,[]]')
  for (const method of asked) expect(method).not.toHaveBeenCalled()
})
