import { describe, expect, it } from 'vitest'
import { BranchState } from './branch-state.ts'
import { ownName } from './engine/digest.ts'
import type { ContextDecision } from './engine/journal.ts'
import { emptyLine } from './engine/record.ts'
import { initialScale, type Scale } from './engine/scale.ts'
import { memoryStore } from './stores/memory.ts'
import { storeStep } from './storing.ts'
import { DecidedChat } from './testing/decided-chat.ts'

const chat = new DecidedChat()
const decided = chat.decide([{ role: 'user', content: 'Begin.' }])
const raised: Scale = { reported: 3, counted: 2 }

function open(store: ReturnType<typeof memoryStore>): Promise<BranchState> {
  let ids = 0
  return BranchState.open({
    branchId: 'chat',
    store,
    clock: () => 1,
    newId: () => `id-${++ids}`,
    digest: ownName,
    onStoreFailure: (error) => {
      throw error
    },
  })
}

async function storedWith(scale: Scale, decision: Partial<ContextDecision>): Promise<BranchState> {
  const store = memoryStore()
  const state = await open(store)
  const line = emptyLine(state.current.line.id)
  await storeStep(state, {
    incoming: { messages: [], leading: [], fields: [], system: null },
    decided: { ...decided, line, scale },
    decision: { ...decision, format: 'anthropic' } as ContextDecision,
    turn: { task: 0, resumptions: 0 },
    policy: {},
    provider: undefined,
  })
  return open(store)
}

describe('what a prepare stores', () => {
  it('[R34, R107] is the scale that a summary request raised, for the model of the request', async () => {
    const state = await storedWith(raised, { model: 'm' })
    expect(state.scale('m')).toEqual(raised)
    expect(state.scale('another')).toEqual(initialScale)
    expect((await storedWith(raised, {})).scale('')).toEqual(raised)
  })

  it('is no scale where nothing was learned', async () => {
    expect((await storedWith(initialScale, { model: 'm' })).row.scales).toEqual({})
  })
})
