import { memo, type ReactNode, startTransition, useLayoutEffect, useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import type { Branch, FoldPreview } from './branch.ts'
import type { DogearOptions } from './dogear.ts'
import { type ContextMeter, useContextMeter } from './react.ts'
import { mount } from './testing/mount.tsx'
import { chatOf, openDogear, send } from './testing/react-chat.ts'

interface MeterProps {
  readonly branch: Branch | null
  /** Told of each render. */
  readonly rendered?: (meter: ContextMeter | null) => void
}

function Meter({ branch, rendered }: MeterProps) {
  const meter = useContextMeter(branch)
  rendered?.(meter)
  return meter ? `${meter.action} ${meter.after} of ${meter.ceiling}` : 'unknown'
}

async function openChat({
  rounds = 0,
  ...options
}: DogearOptions & { rounds?: number } = {}): Promise<Branch> {
  const dogear = openDogear(options)
  await dogear.warmUp()
  const branch = await dogear.branch('chat')
  for (let round = 1; round <= rounds; round++) await send(branch, round)
  return branch
}

/** Longer than a read of the branch that nothing keeps waiting. */
const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50))

async function previewed(branch: Branch): Promise<ContextMeter | null> {
  const preview = await branch.preview()
  if (preview === null) return null
  const { steps: _, ...sizes } = preview
  return { ...sizes, share: sizes.ceiling === null ? null : sizes.after / sizes.ceiling }
}

/** Tells how many listen to the branch from now on. */
function countListeners(branch: Branch): () => number {
  const subscribe = branch.subscribe.bind(branch)
  let count = 0
  vi.spyOn(branch, 'subscribe').mockImplementation((listener) => {
    const stop = subscribe(listener)
    count += 1
    return () => {
      stop()
      count -= 1
    }
  })
  return () => count
}

describe('useContextMeter', () => {
  it('knows nothing without a branch, and before a request has been seen', async () => {
    const { place, render } = mount(<Meter branch={null} />)
    expect(place.textContent).toBe('unknown')
    render(<Meter branch={await openChat()} />)
    await rest()
    expect(place.textContent).toBe('unknown')
  })

  it('shows what is known of a conversation that goes on', async () => {
    const branch = await openChat({ rounds: 2 })
    const rendered = vi.fn()
    mount(<Meter branch={branch} rendered={rendered} />)
    await expect.poll(() => rendered.mock.lastCall?.[0]).toEqual(await previewed(branch))
    expect(rendered.mock.lastCall?.[0]).toMatchObject({ ceiling: 6000, line: 4800, target: 3600 })
  })

  it('shows a request when it is decided, and the next one when it has ended', async () => {
    const branch = await openChat()
    const rendered = vi.fn()
    const { place } = mount(<Meter branch={branch} rendered={rendered} />)
    for (const rounds of [1, 4, 8]) {
      const { decision, settle } = await branch.prepare(chatOf(rounds))
      const { before, after, method, ceiling, line, target, action, parts } = decision
      await expect.poll(() => place.textContent).toBe(`${action} ${after} of 6000`)
      const share = after / 6000
      expect(rendered.mock.lastCall?.[0]).toEqual({
        ...{ before, after, method, ceiling, line, target, share, action, parts },
      })
      await settle({ usage: { prompt_tokens: Math.ceil(decision.counted * 1.1) } })
      await expect.poll(() => rendered.mock.lastCall?.[0]).toEqual(await previewed(branch))
    }
    expect(rendered.mock.calls.map(([meter]) => meter?.action)).toContain('fold')
  })

  it('shows a refusal by how much it is over the ceiling', async () => {
    const branch = await openChat()
    const rendered = vi.fn()
    mount(<Meter branch={branch} rendered={rendered} />)
    const request = { model: 'm', messages: [{ role: 'user', content: 'one two '.repeat(5000) }] }
    await expect(branch.prepare(request)).rejects.toMatchObject({ code: 'input_ceiling_exceeded' })
    await expect.poll(() => rendered.mock.lastCall?.[0]?.action).toBe('refuse')
    const meter: ContextMeter = rendered.mock.lastCall?.[0]
    expect(meter.after).toBeGreaterThan(6000)
    expect(meter.share).toBe(meter.after / 6000)
  })

  it('says that a size is an upper bound, until the tokenizer is there', async () => {
    const dogear = openDogear()
    const branch = await dogear.branch('chat')
    const rendered = vi.fn()
    mount(<Meter branch={branch} rendered={rendered} />)
    const { settle } = await branch.prepare(chatOf(1))
    await expect.poll(() => rendered.mock.lastCall?.[0]?.method).toBe('bound')
    await dogear.warmUp()
    await settle({ usage: null })
    await expect.poll(() => rendered.mock.lastCall?.[0]?.method).toBe('counted')
  })

  it('has no share where there is no ceiling', async () => {
    const branch = await openChat({ policy: { maxInputTokens: 'none' } })
    const rendered = vi.fn()
    mount(<Meter branch={branch} rendered={rendered} />)
    await send(branch, 1)
    await expect.poll(() => rendered.mock.lastCall?.[0]).toMatchObject({ ceiling: null, share: null })
  })

  const changes: [string, (branch: Branch) => Promise<unknown>][] = [
    ['a policy is set', (branch) => branch.setPolicy({ maxInputTokens: 9000 })],
    ['entries leave the view', (branch) => branch.evictActionResults({ keep: 1 })],
    ['entries are replaced by a note', (branch) => branch.compact({ start: 1, end: 4, summary: 'Looked.' })],
    ['everything before the newest work is summarised', (branch) => branch.compactNow()],
    ['entries come back', (branch) => branch.restore({ start: 1, end: 4 })],
  ]
  it.each(changes)('shows the next request anew when %s', async (what, change) => {
    const branch = await openChat({ rounds: 4, summarize: async () => 'The rounds so far found nothing.' })
    if (what === 'entries come back') await branch.evict({ start: 1, end: 4 })
    const rendered = vi.fn()
    mount(<Meter branch={branch} rendered={rendered} />)
    const before = await previewed(branch)
    await expect.poll(() => rendered.mock.lastCall?.[0]).toEqual(before)
    await change(branch)
    const after = await previewed(branch)
    expect(after).not.toEqual(before)
    await expect.poll(() => rendered.mock.lastCall?.[0]).toEqual(after)
  })

  it('does not take a request of another conversation for one of its own', async () => {
    const branch = await openChat({ rounds: 3 })
    const rendered = vi.fn()
    mount(<Meter branch={branch} rendered={rendered} />)
    await rest()
    rendered.mockClear()
    const preview = vi.spyOn(branch, 'preview')
    const title = { model: 'm', messages: [{ role: 'user', content: 'Name this chat in three words.' }] }
    const { decision, settle } = await branch.prepare(title)
    expect(decision.lineId).toBe('')
    await settle({ usage: null })
    await rest()
    expect(preview).not.toHaveBeenCalled()
    expect(rendered).not.toHaveBeenCalled()
  })

  it('shows a conversation whose history the provider holds', async () => {
    const branch = await openChat()
    const rendered = vi.fn()
    mount(<Meter branch={branch} rendered={rendered} />)
    const answer = (id: string, input_tokens: number) => ({
      response: { object: 'response', id, usage: { input_tokens, output_tokens: 100 } },
    })
    const first = await branch.prepare({ model: 'm', input: 'Find out what the archive holds.' })
    await first.settle(answer('resp_1', 900))
    const next = { model: 'm', previous_response_id: 'resp_1', input: 'And then?' }
    const { decision, settle } = await branch.prepare(next)
    expect(decision.method).toBe('remote')
    await settle(answer('resp_2', 1004))
    await rest()
    expect(rendered.mock.lastCall?.[0].after).toBe(decision.after)
    expect(decision.after).toBeGreaterThan(1000)
  })

  it('asks once for all that happened in one go, whoever shows it', async () => {
    const branch = await openChat({ rounds: 3 })
    const preview = vi.spyOn(branch, 'preview')
    const renders = [vi.fn(), vi.fn()]
    const meters = renders.map((rendered, key) => (
      <Meter key={String(key)} branch={branch} rendered={rendered} />
    ))
    const { place } = mount(meters, { strict: true })
    await expect.poll(() => place.textContent).toMatch(/^(\w+ \S+ of 6000){2}$/)
    expect(preview).toHaveBeenCalledTimes(1)
    for (const rendered of renders) rendered.mockClear()
    // Each is one change: a policy, a request's end. A decision says what it is itself.
    await branch.setPolicy({ maxInputTokens: 7000, recovery: 'user' })
    await rest()
    expect(preview).toHaveBeenCalledTimes(2)
    const { settle } = await branch.prepare(chatOf(4))
    await rest()
    expect(preview).toHaveBeenCalledTimes(2)
    await settle({ usage: { prompt_tokens: 90_000 } })
    await rest()
    expect(preview).toHaveBeenCalledTimes(3)
    // StrictMode renders twice for each.
    for (const rendered of renders) expect(rendered.mock.calls.length).toBeLessThanOrEqual(6)
    expect(renders[0]?.mock.calls.length).toBe(renders[1]?.mock.calls.length)
  })

  it('renders nothing where nothing changed', async () => {
    const branch = await openChat({ rounds: 3 })
    const rendered = vi.fn()
    mount(<Meter branch={branch} rendered={rendered} />)
    await rest()
    expect(rendered).toHaveBeenCalledTimes(2)
    const preview = vi.spyOn(branch, 'preview')
    await branch.setPolicy(branch.policy)
    await branch.readResult({ index: 2 })
    await rest()
    expect(preview).toHaveBeenCalledTimes(1)
    expect(rendered).toHaveBeenCalledTimes(2)
  })

  it('never has two previews under way, and takes only the newest answer', async () => {
    const branch = await openChat({ rounds: 1 })
    const known = await branch.preview()
    const asked: ((preview: FoldPreview | null) => void)[] = []
    vi.spyOn(branch, 'preview').mockImplementation(() => new Promise((resolve) => asked.push(resolve)))
    const answer = (place: number, after: number): void => asked[place]?.(known && { ...known, after })
    const rendered = vi.fn()
    const { place } = mount(<Meter branch={branch} rendered={rendered} />)
    await rest()
    await branch.setPolicy({ maxInputTokens: 7000 })
    await branch.setPolicy({ maxInputTokens: 8000 })
    await rest()
    expect(asked).toHaveLength(1)
    answer(0, 1)
    await expect.poll(() => asked).toHaveLength(2)
    expect(place.textContent).toBe('unknown')
    answer(1, 2)
    await expect.poll(() => place.textContent).toContain(' 2 of')
    // A decision is newer than what is being asked for.
    await branch.setPolicy({ maxInputTokens: 9000 })
    await expect.poll(() => asked).toHaveLength(3)
    const { decision } = await branch.prepare(chatOf(2))
    answer(2, 3)
    await rest()
    expect(place.textContent).toBe(`${decision.action} ${decision.after} of 9000`)
    expect(asked).toHaveLength(3)
    expect(rendered.mock.calls.map(([meter]) => meter?.after)).toEqual([undefined, 2, decision.after])
  })

  it('leaves the branch alone when the last component is gone, and catches up with the next', async () => {
    const branch = await openChat({ rounds: 1 })
    const preview = vi.spyOn(branch, 'preview')
    const hearing = countListeners(branch)
    const meters = (keys: string[]): ReactNode => keys.map((key) => <Meter key={key} branch={branch} />)
    const { place, render } = mount(meters(['a', 'b']))
    render(meters(['b']))
    await rest()
    expect(hearing()).toBe(1)
    await send(branch, 2)
    await rest()
    expect(place.textContent).toContain((await previewed(branch))?.after.toString())
    render(null)
    expect(hearing()).toBe(0)
    preview.mockClear()
    await send(branch, 3)
    await branch.setPolicy({ maxInputTokens: 7000 })
    await rest()
    expect(preview).not.toHaveBeenCalled()
    render(meters(['a']))
    const { after } = (await previewed(branch)) ?? {}
    await expect.poll(() => place.textContent).toBe(`pass ${after} of 7000`)
  })

  it('asks for nothing, and tells of nothing, when the component is gone before', async () => {
    const branch = await openChat({ rounds: 1 })
    const preview = vi.spyOn(branch, 'preview')
    const rendered = vi.fn()
    const { render, unmount } = mount(<Meter branch={branch} rendered={rendered} />)
    render(null)
    await rest()
    expect(preview).not.toHaveBeenCalled()
    render(<Meter branch={branch} rendered={rendered} />)
    await expect.poll(() => preview.mock.calls).toHaveLength(1)
    unmount()
    rendered.mockClear()
    await rest()
    expect(rendered).not.toHaveBeenCalled()
  })

  it('goes to another branch at once, and knows nothing of one that was deleted', async () => {
    const dogear = openDogear()
    const [first, second] = [await dogear.branch('a'), await dogear.branch('b')]
    await send(first, 1)
    await send(second, 3)
    const { place, render } = mount(<Meter branch={first} />)
    const shown = async (branch: Branch): Promise<string> => `pass ${(await branch.preview())?.after} of 6000`
    await expect.poll(() => place.textContent).toBe(await shown(first))
    render(<Meter branch={second} />)
    expect(place.textContent).toBe('unknown')
    await expect.poll(() => place.textContent).toBe(await shown(second))
    await first.delete()
    render(<Meter branch={first} />)
    await expect.poll(() => place.textContent).toBe('unknown')
  })

  it('shows one meter everywhere in a page that is rendered in pieces', async () => {
    const branch = await openChat({ rounds: 1 })
    const { place } = mount(<Page branch={branch} />)
    await expect.poll(() => place.textContent).toContain('pass')
    const torn: string[] = []
    committed = (texts) => {
      if (new Set(texts).size !== 1) torn.push(texts.join())
    }
    startTransition(() => showMany(true))
    await vi.waitFor(() => expect(slowRenders).toBeGreaterThan(2), { interval: 1 })
    expect(place.querySelectorAll('p')).toHaveLength(1)
    await branch.prepare(chatOf(3))
    await expect.poll(() => place.querySelectorAll('p').length).toBe(40)
    await rest()
    expect(torn).toEqual([])
    expect(new Set([...place.querySelectorAll('p')].map(({ textContent }) => textContent)).size).toBe(1)
  })
})

let slowRenders = 0
let showMany: (many: boolean) => void = () => undefined
let committed: (texts: readonly (string | null)[]) => void = () => undefined

/** Takes its time, so that React lets the page breathe between two of them. */
const SlowMeter = memo(function SlowMeter({ branch }: { readonly branch: Branch }) {
  const meter = useContextMeter(branch)
  slowRenders += 1
  const until = performance.now() + 6
  while (performance.now() < until);
  return <p>{meter ? `${meter.action} ${meter.after}` : 'unknown'}</p>
})

function Page({ branch }: { readonly branch: Branch }) {
  const [isMany, setMany] = useState(false)
  showMany = setMany
  useLayoutEffect(() => committed([...document.querySelectorAll('p')].map(({ textContent }) => textContent)))
  return Array.from({ length: isMany ? 40 : 1 }, (_, key) => <SlowMeter key={String(key)} branch={branch} />)
}
