import { describe, expect, it } from 'vitest'
import { utf8Bytes } from './engine/byte-bound.ts'
import type { JsonObject } from './engine/json.ts'
import type { ContextPolicy } from './engine/policy.ts'
import type { Summarize } from './ports.ts'
import { openTestBranch } from './testing/open-branch.ts'

const LIMIT = 100_000
const IMAGE = 10_000

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(IMAGE) } }

/** A chat in which every round but the last has an image: as the result of a tool, or from the user. */
function chat(rounds: number, from: 'tool' | 'user'): JsonObject {
  const messages = Array.from({ length: rounds }, (_, round): JsonObject[] => {
    const call = { type: 'tool_use', id: `call_${round}`, name: 'look', input: { at: round } }
    const result = { type: 'tool_result', tool_use_id: `call_${round}`, content: [image] }
    return from === 'tool'
      ? [
          { role: 'assistant', content: [call] },
          { role: 'user', content: [result] },
        ]
      : [
          { role: 'user', content: [image, { type: 'text', text: `What is in picture ${round}?` }] },
          { role: 'assistant', content: [{ type: 'text', text: `A harbour, from side ${round}.` }] },
        ]
  })
  return {
    model: 'claude-haiku-5-5',
    max_tokens: 100,
    tools: [{ name: 'look', input_schema: { type: 'object', properties: { at: { type: 'integer' } } } }],
    messages: [
      ...(from === 'tool' ? [{ role: 'user', content: 'Look at the harbour from all sides.' }] : []),
      ...messages.flat(),
      ...(from === 'tool' ? [] : [{ role: 'user', content: 'Which side was the best?' }]),
    ],
  }
}

/** A branch whose provider takes so many bytes, and the summaries that it asked for. */
async function open(policy: ContextPolicy = { maxInputTokens: 'none' }, writes = true) {
  const asked: string[] = []
  const summarize: Summarize = async ({ history }) => {
    asked.push(history)
    return 'The user looks at a harbour from all sides.'
  }
  const test = await openTestBranch({
    maxRequestBytes: LIMIT,
    policy,
    ...(writes ? { summarize } : {}),
  })
  return { ...test, asked }
}

async function sendAll(branch: Awaited<ReturnType<typeof open>>['branch'], from: 'tool' | 'user') {
  const decisions = []
  for (let rounds = 1; rounds <= 14; rounds++) {
    const { request, decision, settle } = await branch.prepare(chat(rounds, from))
    expect(utf8Bytes(JSON.stringify(request))).toBeLessThanOrEqual(LIMIT)
    decisions.push(decision)
    await settle({ usage: null })
  }
  return decisions
}

describe('a request of more bytes than its provider takes', () => {
  it('[R318, R330, R331] goes on without results that were read, and no summary', async () => {
    const { branch, asked } = await open()
    const decisions = await sendAll(branch, 'tool')
    expect(decisions.map(({ action }) => action)).toContain('repair')
    expect(asked).toEqual([])
    const { folds } = await branch.journal()
    expect(folds[0]).toMatchObject({ stage: 'prune', reason: 'wall', outcome: 'landed', ceiling: null })
    const [cleared] = folds[0]?.cleared ?? []
    const original = await branch.readResult({ index: cleared?.index ?? -1 })
    expect(original.total).toBeGreaterThan(0)
    expect((await branch.verify()).ok).toBe(true)
  })

  it('[R318, R330] has a summary in the place of what clearing cannot reach', async () => {
    const { branch, asked } = await open()
    const decisions = await sendAll(branch, 'user')
    const repaired = decisions.filter(({ action }) => action === 'repair')
    expect(asked).toHaveLength(repaired.length)
    expect(repaired.length).toBeGreaterThan(0)
    const { folds } = await branch.journal()
    expect(folds[0]).toMatchObject({ stage: 'summary', reason: 'wall', outcome: 'landed' })
  })

  it.each<[string, ContextPolicy['compaction'], boolean]>([
    ['the policy wants no repair', { mode: 'off' }, true],
    ['nobody can write a summary', { mode: 'summarize' }, false],
  ])('[R14, R344] is refused where %s, and nothing of it is recorded', async (_, compaction, writes) => {
    const { branch } = await open({ maxInputTokens: 'none', ...(compaction ? { compaction } : {}) }, writes)
    await (await branch.prepare(chat(8, 'user'))).settle({ usage: null })
    const before = await branch.getMessages({ scope: 'all' })
    await expect(branch.prepare(chat(14, 'user'))).rejects.toMatchObject({
      code: 'request_too_large',
      fields: { limit: LIMIT },
    })
    expect(await branch.getMessages({ scope: 'all' })).toEqual(before)
  })

  it('[R364] is refused where what is new alone is too large, after one summary at the most', async () => {
    const { branch, asked } = await open()
    await (await branch.prepare(chat(8, 'user'))).settle({ usage: null })
    const { messages, ...rest } = chat(8, 'user')
    const more = Array.from({ length: 12 }, () => image)
    const large = {
      ...rest,
      messages: [...(messages as JsonObject[]).slice(0, -1), { role: 'user', content: more }],
    }
    await expect(branch.prepare(large)).rejects.toMatchObject({ code: 'request_too_large' })
    expect(asked.length).toBeLessThanOrEqual(1)
    expect((await branch.prepare(chat(8, 'user'))).decision.action).toBe('pass')
  })
})
