import { describe, expect, it, vi } from 'vitest'
import type { Branch } from './branch.ts'
import type { FoldRecord } from './engine/journal.ts'
import type { DogearEvent } from './events.ts'
import type { BranchStore } from './ports.ts'
import { useFolds } from './react.ts'
import { memoryStore } from './stores/memory.ts'
import { mount } from './testing/mount.tsx'
import { openDogear, send } from './testing/react-chat.ts'

interface FoldsProps {
  readonly branch: Branch | null
  /** Told of each render. */
  readonly rendered: (folds: readonly FoldRecord[]) => void
}

function Folds({ branch, rendered }: FoldsProps) {
  const folds = useFolds(branch)
  rendered(folds)
  return folds.length
}

/** Longer than a read of the journal that nothing keeps waiting. */
const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50))

/** Gives other objects each time, as a store does that is not in memory. */
function copyingStore(): BranchStore {
  const store = memoryStore()
  return { ...store, journal: async (id) => structuredClone(await store.journal(id)) }
}

async function landed(branch: Branch): Promise<readonly FoldRecord[]> {
  return (await branch.journal()).folds.filter(({ outcome }) => outcome === 'landed').reverse()
}

/** Goes on with the chat, from so many rounds, until another fold landed. Returns the rounds it has then. */
async function sendUntilFolded(branch: Branch, rounds: number): Promise<number> {
  const before = await landed(branch)
  const decision = await send(branch, rounds)
  if ((await landed(branch)).length > before.length) expect(decision.action).toBe('fold')
  else return sendUntilFolded(branch, rounds + 1)
  return rounds
}

describe('useFolds', () => {
  it('has none without a branch, and of one that was not folded', async () => {
    const rendered = vi.fn()
    const { render } = mount(<Folds branch={null} rendered={rendered} />)
    const branch = await openDogear().branch('chat')
    render(<Folds branch={branch} rendered={rendered} />)
    await send(branch, 1)
    await rest()
    expect(rendered.mock.calls).toEqual([[[]], [[]]])
    expect(rendered.mock.calls[1]?.[0]).toBe(rendered.mock.calls[0]?.[0])
  })

  it('tells of a fold that lands, newest first, and keeps the records that it has', async () => {
    const branch = await openDogear({ store: copyingStore() }).branch('chat')
    const rendered = vi.fn()
    mount(<Folds branch={branch} rendered={rendered} />, { strict: true })
    const rounds = await sendUntilFolded(branch, 1)
    const first = await landed(branch)
    await expect.poll(() => rendered.mock.lastCall?.[0]).toEqual(first)
    const known: FoldRecord = rendered.mock.lastCall?.[0][0]
    await sendUntilFolded(branch, rounds + 1)
    const second = await landed(branch)
    await expect.poll(() => rendered.mock.lastCall?.[0]).toEqual(second)
    expect(second.length).toBeGreaterThan(first.length)
    expect(rendered.mock.lastCall?.[0].at(-first.length)).toBe(known)
  })

  it('has those of earlier page loads', async () => {
    const store = { ...memoryStore(), close: async () => undefined }
    const earlier = openDogear({ store })
    await sendUntilFolded(await earlier.branch('chat'), 1)
    await earlier.close()
    const branch = await openDogear({ store }).branch('chat')
    const rendered = vi.fn()
    mount(<Folds branch={branch} rendered={rendered} />)
    const folds = await landed(branch)
    expect(folds).not.toEqual([])
    await expect.poll(() => rendered.mock.lastCall?.[0]).toEqual(folds)
  })

  it('leaves out what was rolled back', async () => {
    const branch = await openDogear().branch('chat')
    await sendUntilFolded(branch, 1)
    const journal = await branch.journal()
    const tried = journal.folds.map((fold): FoldRecord => ({ ...fold, id: 'tried', outcome: 'rolled_back' }))
    vi.spyOn(branch, 'journal').mockResolvedValue({ ...journal, folds: [...journal.folds, ...tried] })
    const rendered = vi.fn()
    mount(<Folds branch={branch} rendered={rendered} />)
    await expect.poll(() => rendered.mock.lastCall?.[0]).toEqual(journal.folds.toReversed())
  })

  it('reads the journal once for each fold, whoever shows it, and renders for nothing else', async () => {
    const branch = await openDogear().branch('chat')
    const journal = vi.spyOn(branch, 'journal')
    const renders = [vi.fn(), vi.fn()]
    mount(renders.map((rendered, key) => <Folds key={String(key)} branch={branch} rendered={rendered} />))
    await rest()
    expect(journal).toHaveBeenCalledTimes(1)
    await send(branch, 1)
    await branch.setPolicy({ ...branch.policy, notice: true })
    await branch.evict({ start: 1, end: 4 })
    await rest()
    expect(journal).toHaveBeenCalledTimes(1)
    const { action } = await send(branch, 8)
    expect(action).toBe('fold')
    await rest()
    expect(journal).toHaveBeenCalledTimes(2)
    for (const rendered of renders) expect(rendered).toHaveBeenCalledTimes(2)
  })

  it('does not read the journal for what was rolled back', async () => {
    const branch = await openDogear().branch('chat')
    const subscribe = vi.spyOn(branch, 'subscribe')
    const journal = vi.spyOn(branch, 'journal')
    mount(<Folds branch={branch} rendered={() => undefined} />)
    const tell = (outcome: FoldRecord['outcome']): void =>
      subscribe.mock.calls[0]?.[0]({ type: 'stage-applied', fold: { outcome } } as DogearEvent)
    await rest()
    tell('rolled_back')
    await rest()
    expect(journal).toHaveBeenCalledTimes(1)
    tell('landed')
    await rest()
    expect(journal).toHaveBeenCalledTimes(2)
  })

  it('keeps its list for the next component, and adds what landed in between', async () => {
    const branch = await openDogear({ store: copyingStore() }).branch('chat')
    const rounds = await sendUntilFolded(branch, 1)
    const rendered = vi.fn()
    const { render } = mount(<Folds branch={branch} rendered={rendered} />)
    await expect.poll(() => rendered.mock.lastCall?.[0]).toHaveLength(1)
    const folds = rendered.mock.lastCall?.[0]
    render(null)
    render(<Folds branch={branch} rendered={rendered} />)
    await rest()
    expect(rendered.mock.lastCall?.[0]).toBe(folds)
    render(null)
    await sendUntilFolded(branch, rounds + 1)
    render(<Folds branch={branch} rendered={rendered} />)
    await expect.poll(() => rendered.mock.lastCall?.[0]).toEqual(await landed(branch))
    expect(rendered.mock.lastCall?.[0].length).toBeGreaterThan(1)
    expect(rendered.mock.lastCall?.[0].at(-1)).toBe(folds[0])
  })

  it('has none of a branch that was deleted, or of a dogear that was closed', async () => {
    const dogear = openDogear()
    const branch = await dogear.branch('chat')
    await sendUntilFolded(branch, 1)
    await branch.delete()
    const rendered = vi.fn()
    const { render } = mount(<Folds branch={branch} rendered={rendered} />)
    const other = await dogear.branch('other')
    await dogear.close()
    render(<Folds branch={other} rendered={rendered} />)
    await rest()
    for (const [folds] of rendered.mock.calls) expect(folds).toEqual([])
  })
})
