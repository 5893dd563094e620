import type { ReactNode } from 'react'
import { describe, expect, it, vi } from 'vitest'
import type { Branch, BranchOptions } from './branch.ts'
import type { Dogear } from './dogear.ts'
import { DogearError } from './errors.ts'
import { type OpenedBranch, useBranch } from './react.ts'
import { memoryStore } from './stores/memory.ts'
import { mount } from './testing/mount.tsx'
import { openDogear } from './testing/react-chat.ts'

interface ChatProps {
  readonly dogear: Pick<Dogear, 'branch'>
  readonly id: string | null
  readonly options?: BranchOptions
  /** Told of each render. */
  readonly rendered: (opened: OpenedBranch, id: string | null) => void
}

function Chat({ dogear, id, options, rendered }: ChatProps) {
  const opened = useBranch(dogear, id, options)
  rendered(opened, id)
  return opened.branch?.id ?? opened.error?.code ?? 'waiting'
}

/** A dogear whose branches are opened when the test says so. */
function slowDogear() {
  const opens: { id: string; resolve: (branch: Branch) => void; reject: (error: unknown) => void }[] = []
  const branch = (id: string): Promise<Branch> =>
    new Promise((resolve, reject) => opens.push({ id, resolve, reject }))
  return { branch, opens }
}

const namedBranch = (id: string): Branch => ({ id }) as Branch

/** Longer than any promise that is settled already takes to be heard. */
const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))

describe('useBranch', () => {
  it('gives the branch of that id, and keeps it over renders with options made anew', async () => {
    const dogear = openDogear()
    const open = vi.spyOn(dogear, 'branch')
    const rendered = vi.fn()
    const chat = (): ReactNode => (
      <Chat dogear={dogear} id="a" options={{ policy: { maxInputTokens: 5000 } }} rendered={rendered} />
    )
    const { place, render } = mount(chat())
    expect(rendered).toHaveBeenLastCalledWith({ branch: null, error: null }, 'a')
    await expect.poll(() => place.textContent).toBe('a')
    const opened: OpenedBranch = rendered.mock.lastCall?.[0]
    expect(opened).toEqual({ branch: await dogear.branch('a'), error: null })
    expect(opened.branch?.policy).toEqual({ maxInputTokens: 5000 })
    open.mockClear()
    render(chat())
    render(chat())
    expect(rendered.mock.lastCall?.[0]).toBe(opened)
    await rest()
    expect(rendered).toHaveBeenCalledTimes(4)
    expect(open).not.toHaveBeenCalled()
  })

  it('opens once where StrictMode mounts twice', async () => {
    const dogear = openDogear()
    const open = vi.spyOn(dogear, 'branch')
    const { place } = mount(<Chat dogear={dogear} id="a" rendered={() => undefined} />, { strict: true })
    await expect.poll(() => place.textContent).toBe('a')
    expect(open).toHaveBeenCalledTimes(1)
  })

  it('opens another with another id, and never shows one under the id of the other', async () => {
    const dogear = openDogear()
    const shown: string[] = []
    const note = ({ branch }: OpenedBranch, id: string | null): void => {
      shown.push(`${id}: ${branch?.id}`)
    }
    const { place, render } = mount(<Chat dogear={dogear} id="a" rendered={note} />)
    await expect.poll(() => place.textContent).toBe('a')
    render(<Chat dogear={dogear} id="b" rendered={note} />)
    expect(place.textContent).toBe('waiting')
    await expect.poll(() => place.textContent).toBe('b')
    expect(new Set(shown)).toEqual(new Set(['a: undefined', 'a: a', 'b: undefined', 'b: b']))
  })

  it('opens the branch of another dogear', async () => {
    const [first, second] = [openDogear(), openDogear()]
    const rendered = vi.fn()
    const { place, render } = mount(<Chat dogear={first} id="a" rendered={rendered} />)
    await expect.poll(() => place.textContent).toBe('a')
    render(<Chat dogear={second} id="a" rendered={rendered} />)
    await expect.poll(() => place.textContent).toBe('a')
    expect(rendered.mock.lastCall?.[0].branch).toBe(await second.branch('a'))
  })

  it('ignores what is opened after the id changed, in whatever order', async () => {
    const dogear = slowDogear()
    const rendered = vi.fn()
    const { place, render } = mount(<Chat dogear={dogear} id="a" rendered={rendered} />)
    render(<Chat dogear={dogear} id="b" rendered={rendered} />)
    expect(dogear.opens.map(({ id }) => id)).toEqual(['a', 'b'])
    dogear.opens[1]?.resolve(namedBranch('b'))
    await expect.poll(() => place.textContent).toBe('b')
    rendered.mockClear()
    dogear.opens[0]?.resolve(namedBranch('a'))
    await rest()
    expect(place.textContent).toBe('b')
    expect(rendered).not.toHaveBeenCalled()
  })

  it.each(['resolves', 'rejects'])('ignores an open that %s after the component is gone', async (how) => {
    const dogear = slowDogear()
    const rendered = vi.fn()
    const { unmount } = mount(<Chat dogear={dogear} id="a" rendered={rendered} />, { strict: true })
    unmount()
    rendered.mockClear()
    if (how === 'resolves') dogear.opens[0]?.resolve(namedBranch('a'))
    else dogear.opens[0]?.reject(new DogearError({ code: 'store_failed', message: 'gone' }))
    await rest()
    expect(rendered).not.toHaveBeenCalled()
  })

  it('gives the error of an open that failed, and tries again when the id changes back', async () => {
    const store = memoryStore()
    const row = vi.spyOn(store, 'row')
    const failure = new DogearError({ code: 'store_blocked', message: 'another page holds the store' })
    row.mockRejectedValueOnce(failure)
    const dogear = openDogear({ store })
    const rendered = vi.fn()
    const { place, render } = mount(<Chat dogear={dogear} id="a" rendered={rendered} />)
    await expect.poll(() => place.textContent).toBe('store_blocked')
    expect(rendered).toHaveBeenLastCalledWith({ branch: null, error: failure }, 'a')
    render(<Chat dogear={dogear} id="b" rendered={rendered} />)
    expect(place.textContent).toBe('waiting')
    render(<Chat dogear={dogear} id="a" rendered={rendered} />)
    expect(place.textContent).toBe('waiting')
    await expect.poll(() => place.textContent).toBe('a')
  })

  it('says what is wrong with an id or a policy as an error', async () => {
    const dogear = openDogear()
    const { place, render } = mount(<Chat dogear={dogear} id="" rendered={() => undefined} />)
    await expect.poll(() => place.textContent).toBe('invalid_argument')
    const options = { policy: { maxInputTokens: -1 } }
    render(<Chat dogear={dogear} id="a" options={options} rendered={() => undefined} />)
    await expect.poll(() => place.textContent).toBe('invalid_policy')
  })

  it("keeps another error of the app's own store as the cause", async () => {
    const store = memoryStore()
    const cause = new Error('no such bucket')
    vi.spyOn(store, 'row').mockRejectedValueOnce(cause)
    const rendered = vi.fn()
    const { place } = mount(<Chat dogear={openDogear({ store })} id="a" rendered={rendered} />)
    await expect.poll(() => place.textContent).toBe('store_failed')
    expect(rendered.mock.lastCall?.[0].error).toMatchObject({ cause })
    expect(DogearError.isInstance(rendered.mock.lastCall?.[0].error)).toBe(true)
  })

  it('opens nothing before there is an id', async () => {
    const dogear = openDogear()
    const open = vi.spyOn(dogear, 'branch')
    const { place, render } = mount(<Chat dogear={dogear} id={null} rendered={() => undefined} />)
    await rest()
    expect(open).not.toHaveBeenCalled()
    expect(place.textContent).toBe('waiting')
    render(<Chat dogear={dogear} id="a" rendered={() => undefined} />)
    await expect.poll(() => place.textContent).toBe('a')
  })
})
