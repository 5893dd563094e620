import { describe, expect, it } from 'vitest'
import { createDogear, memoryStore } from '../../sdk/index.ts'
import { branchIdOf } from './branch-id.ts'
import { createPlayer } from './player.ts'

const policy = { maxInputTokens: 2_000 }

/**
 * A conversation with one call and one result of about so many words in each round, and with answers of so many:
 * a result can be shortened, what was said cannot.
 */
function transcriptOf(rounds: number, { words = 30, said = 0 } = {}): string {
  const messages: object[] = [{ role: 'user', content: 'Count the boats.' }]
  for (let round = 0; round < rounds - 1; round++) {
    const call = { type: 'function', function: { name: 'look', arguments: `{"pier":${round}}` } }
    messages.push({
      role: 'assistant',
      content: 'one boat, '.repeat(said),
      tool_calls: [{ id: `c${round}`, ...call }],
    })
    messages.push({
      role: 'tool',
      tool_call_id: `c${round}`,
      content: `pier ${round}: ${'one boat, '.repeat(words)}`,
    })
  }
  messages.push({ role: 'assistant', content: 'Many.' })
  return JSON.stringify({ model: 'gpt-4o', messages })
}

/** A pause that never ends by itself. */
function untilAborted(_milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
}

function start(options: { pause?: (milliseconds: number, signal: AbortSignal) => Promise<void> } = {}) {
  const opened: { branchId: string; title: string }[] = []
  const dogear = createDogear({ store: memoryStore() })
  const player = createPlayer({
    dogear,
    policy,
    onOpen: (found) => opened.push(found),
    sleep: options.pause ?? (() => Promise.resolve()),
  })
  return { dogear, player, opened, state: player.store.getState }
}

describe('opening', () => {
  it('shows a transcript on a branch that its content names', async () => {
    const { player, opened, state } = start()
    await player.openText('Boats', transcriptOf(4))
    expect(state().conversation).toMatchObject({
      title: 'Boats',
      branch: { id: branchIdOf(transcriptOf(4)) },
    })
    expect(state().conversation?.branch.policy).toEqual(policy)
    expect(state()).toMatchObject({ position: 0, activity: { type: 'idle' }, problems: [] })
    expect(opened).toEqual([{ branchId: branchIdOf(transcriptOf(4)), title: 'Boats' }])
  })

  it('finds what was played of it before, and the policy it was played under', async () => {
    const { player, state } = start()
    await player.openText('Boats', transcriptOf(6))
    await player.setPolicy({ maxInputTokens: 3_000 })
    await player.step()
    await player.step()
    await player.openText('Other boats', transcriptOf(3))
    expect(state().position).toBe(0)
    await player.setPolicy({ maxInputTokens: 4_000 })
    await player.openText('Boats', transcriptOf(6))
    expect(state().position).toBe(2)
    expect(state().policy).toEqual({ maxInputTokens: 3_000 })
    await player.play()
    expect(state().position).toBe(6)
  })

  it('takes the settings on show over to a conversation that is new', async () => {
    const { player, state } = start()
    await player.openText('Boats', transcriptOf(3))
    await player.setPolicy({ maxInputTokens: 9_000 })
    await player.openText('More boats', transcriptOf(4))
    expect(state().conversation?.branch.policy).toEqual({ maxInputTokens: 9_000 })
  })

  it('reads a file and says how far it is', async () => {
    const { player, state } = start()
    const activities: string[] = []
    player.store.subscribe(({ activity }) => activities.push(activity.type))
    await player.openFile(new File([transcriptOf(3)], 'boats.json'))
    expect(state().conversation?.title).toBe('boats.json')
    expect(new Set(activities)).toEqual(new Set(['reading', 'opening', 'idle']))
  })

  it('keeps what is open where a file cannot be read, and says why', async () => {
    const { player, state } = start()
    await player.openText('Boats', transcriptOf(3))
    await player.openFile(new File(['[]'], 'empty.json'))
    expect(state().conversation?.title).toBe('Boats')
    expect(state().problems).toMatchObject([{ type: 'error', code: 'transcript_unreadable' }])
    await player.play()
    expect(state().position).toBe(3)
    player.dismiss(state().problems[0] ?? { type: 'error', code: '', message: '' })
    expect(state().problems).toEqual([])
  })

  it('reopens a stored branch without its text, and says where there is none', async () => {
    const { player, state } = start()
    await player.openText('Boats', transcriptOf(3))
    await player.play()
    const id = branchIdOf(transcriptOf(3))
    expect(await player.reopen(id, 'Boats')).toBe(true)
    expect(state().conversation).toMatchObject({ transcript: null, branch: { id } })
    await player.play()
    expect(state().outcomes).toEqual([])
    expect(await player.reopen('nobody', 'Nothing')).toBe(false)
    expect(state().conversation?.branch.id).toBe(id)
  })
})

describe('playing', () => {
  it('sends every round, under the ceiling, and says what was folded', async () => {
    const { player, state } = start()
    await player.openText('Boats', transcriptOf(20, { words: 80 }))
    await player.play()
    expect(state()).toMatchObject({
      position: 20,
      announcement: 'Played to the end.',
      activity: { type: 'idle' },
    })
    const results = state().outcomes.map(({ result }) => result)
    for (const result of results)
      expect(result.type === 'sent' && result.decision.after).toBeLessThanOrEqual(policy.maxInputTokens)
    expect(results.some((result) => result.type === 'sent' && result.decision.folded.length > 0)).toBe(true)
    expect(state().outcomes.at(-1)?.entries).toBe((await allMessages(state().conversation)).total)
  })

  it('goes on after a refused round and keeps the refusal', async () => {
    const { player, state } = start()
    await player.openText('Boats', transcriptOf(3, { said: 1_000 }))
    await player.play()
    expect(state().position).toBe(3)
    expect(state().outcomes.map(({ result }) => result.type)).toEqual(['sent', 'refused', 'refused'])
    expect(state().outcomes[1]?.result).toMatchObject({ problem: { code: 'input_ceiling_exceeded' } })
    expect(state().problems).toEqual([])
  })

  it('plays one round at a step', async () => {
    const { player, state } = start()
    await player.openText('Boats', transcriptOf(3))
    await player.step()
    expect(state().position).toBe(1)
  })

  it('waits between rounds as the pace says, and not before the first', async () => {
    const pauses: number[] = []
    const { player } = start({ pause: async (milliseconds) => void pauses.push(milliseconds) })
    await player.openText('Boats', transcriptOf(3))
    player.setPace(0)
    await player.play()
    expect(pauses).toEqual([2_000, 2_000])
  })

  it('ends a pause at once when the pace changes', async () => {
    const { player, state } = start({ pause: untilAborted })
    await player.openText('Boats', transcriptOf(2))
    const played = player.play()
    await until(() => state().position === 1)
    player.setPace(4)
    await played
    expect(state().position).toBe(2)
  })

  it('pauses after the round that is under way, and plays on from there', async () => {
    const { player, state } = start({ pause: untilAborted })
    await player.openText('Boats', transcriptOf(4))
    const played = player.play()
    await until(() => state().position === 1)
    player.pause()
    await played
    expect(state()).toMatchObject({ position: 1, activity: { type: 'idle' } })
    await player.step()
    expect(state().position).toBe(2)
  })

  it('stops without a word of complaint and loses nothing', async () => {
    const { player, state } = start({ pause: untilAborted })
    await player.openText('Boats', transcriptOf(4))
    const played = player.play()
    await until(() => state().position === 1)
    player.stop()
    await played
    expect(state()).toMatchObject({ position: 1, problems: [], announcement: 'Stopped.' })
    await player.step()
    expect(state().outcomes.map(({ round }) => round)).toEqual([0, 1])
  })

  it('stops a count that is under way, and can go on afterwards', async () => {
    const { player, state } = start()
    await player.openText('Long', transcriptOf(2, { said: 20_000 }))
    await player.step()
    // Once: stopping is said in the store, too, and what is to end may need a task of its own.
    const unsubscribe = player.store.subscribe(({ activity }) => {
      if (activity.type !== 'playing') return
      unsubscribe()
      queueMicrotask(player.stop)
    })
    await player.step()
    expect(state()).toMatchObject({ position: 1, problems: [], activity: { type: 'idle' } })
    await player.step()
    expect(state().outcomes.map(({ result }) => result.type)).toEqual(['sent', 'refused'])
  })

  it('ends for another conversation, which then is the one on show', async () => {
    const { player, state } = start({ pause: untilAborted })
    await player.openText('Boats', transcriptOf(4))
    const played = player.play()
    await until(() => state().position === 1)
    await player.openText('More boats', transcriptOf(5))
    await played
    expect(state()).toMatchObject({ position: 0, outcomes: [], conversation: { title: 'More boats' } })
  })

  it('starts over on an empty branch under the same policy', async () => {
    const { player, state } = start()
    await player.openText('Boats', transcriptOf(3))
    await player.setPolicy({ maxInputTokens: 5_000 })
    await player.play()
    await player.startOver()
    expect(state()).toMatchObject({ position: 0, outcomes: [], policy: { maxInputTokens: 5_000 } })
    expect((await allMessages(state().conversation)).total).toBe(0)
    await player.play()
    expect(state().position).toBe(3)
  })

  it('shows a fault of the transcript once, however many rounds carry it', async () => {
    const { player, state } = start()
    const messages = [
      { role: 'user', content: 'Count the boats.' },
      { role: 'tool', tool_call_id: 'nobody', content: 'one boat' },
      { role: 'assistant', content: 'One.' },
      { role: 'user', content: 'And now?' },
    ]
    await player.openText('Orphan', JSON.stringify({ model: 'gpt-4o', messages }))
    await player.play()
    expect(state().position).toBe(2)
    expect(state().problems).toMatchObject([{ type: 'warning' }])
  })

  it('stays at a round that cannot be sent at all', async () => {
    const { player, state } = start()
    await player.openText('Odd', JSON.stringify({ messages: [{ role: 'user', content: 7 }] }))
    await player.play()
    expect(state()).toMatchObject({ position: 0, problems: [{ type: 'error', code: 'invalid_request' }] })
  })
})

describe('settings', () => {
  it('are in force from the next round', async () => {
    const { player, state } = start()
    await player.openText('Boats', transcriptOf(3))
    await player.step()
    await player.setPolicy({ maxInputTokens: 1_234 })
    await player.step()
    const ceilings = state().outcomes.map(({ result }) => result.type === 'sent' && result.decision.ceiling)
    expect(ceilings).toEqual([2_000, 1_234])
  })

  it('that the SDK refuses change nothing and leave its sentence', async () => {
    const { player, state } = start()
    await player.openText('Boats', transcriptOf(3))
    await player.setPolicy({ maxInputTokens: 0.5 })
    expect(state().policy).toEqual(policy)
    expect(state().policyProblem?.code).toBe('invalid_policy')
    await player.setPolicy({ maxInputTokens: 4_000 })
    expect(state()).toMatchObject({ policy: { maxInputTokens: 4_000 }, policyProblem: null })
  })

  it('of a slider that is dragged end with the last one', async () => {
    const { player, state } = start()
    await player.openText('Boats', transcriptOf(3))
    await Promise.all([3_000, 4_000, 5_000].map((maxInputTokens) => player.setPolicy({ maxInputTokens })))
    expect(state().conversation?.branch.policy).toEqual({ maxInputTokens: 5_000 })
  })
})

async function allMessages(conversation: ReturnType<ReturnType<typeof start>['state']>['conversation']) {
  if (!conversation) throw new Error('nothing is open')
  return conversation.branch.getMessages({ scope: 'all' })
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2))
}
