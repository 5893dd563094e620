import { StrictMode, Suspense } from 'react'
import { expect, it } from 'vitest'
import type { Branch } from './branch.ts'
import type { Dogear } from './dogear.ts'
import { useBranch, useContextMeter, useFolds } from './react.ts'
import { hydrate, mount } from './testing/mount.tsx'
import { openDogear, send } from './testing/react-chat.ts'

function Chat({ dogear }: { readonly dogear: Dogear }) {
  const { branch } = useBranch(dogear, 'chat')
  return <Facts branch={branch} />
}

function Facts({ branch }: { readonly branch: Branch | null }) {
  const meter = useContextMeter(branch)
  return <p>{`${meter?.action ?? 'unknown'} ${useFolds(branch).length}`}</p>
}

it('takes over what a server rendered, and opens the branch then', async () => {
  const dogear = openDogear()
  await send(await dogear.branch('chat'), 8)
  const { place, html } = hydrate(
    <StrictMode>
      <Chat dogear={dogear} />
    </StrictMode>,
  )
  expect(html).toBe('<p>unknown 0</p>')
  await expect.poll(() => place.innerHTML).toBe('<p>pass 1</p>')
})

it('takes over what a server rendered where more is known by then', async () => {
  const branch = await openDogear().branch('chat')
  await send(branch, 8)
  const other = mount(<Facts branch={branch} />)
  await expect.poll(() => other.place.innerHTML).toBe('<p>pass 1</p>')
  const { place, html } = hydrate(
    <Suspense>
      <Facts branch={branch} />
    </Suspense>,
  )
  expect(html).toContain('<p>unknown 0</p>')
  await expect.poll(() => place.textContent).toBe('pass 1')
})
