import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from './engine/json.ts'
import { createModelLookup } from './models/model-lookup.ts'
import { makeConversation, requestAt } from './testing/conversation.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { scriptTokenCounter } from './testing/script-token-counter.ts'

const conversation = makeConversation({ seed: 51, format: 'openai-chat', rounds: 20 })
const findModel = createModelLookup([])

let count: (text: string) => Promise<number>

beforeAll(async () => {
  const counter = await scriptTokenCounter()
  count = async (text) => (await counter.count([text]))[0] ?? 0
})

function modelled(model: string): JsonObject {
  return { ...conversation.request, model }
}

function countedText({ messages, tools }: JsonObject): string {
  return JSON.stringify({ messages, tools })
}

describe('the ceiling of a request', () => {
  it('[R2, R10, R18] is the first price tier of its model where nothing was set', async () => {
    const { branch } = await openTestBranch({ policy: {}, findModel })
    const { decision } = await branch.prepare(modelled('claude-haiku-5-5'))
    expect(decision).toMatchObject({
      ceiling: 100_000,
      ceilingSource: 'default',
      tier: { maxPromptTokens: 100_000 },
    })
    const { branch: other } = await openTestBranch({ policy: { maxInputTokens: 'auto' }, findModel })
    expect((await other.prepare(modelled('gpt-5.4'))).decision).toMatchObject({
      ceiling: 272_000,
      ceilingSource: 'auto',
    })
  })

  it('[R3, R12, R13, R15] is none for a model without a tier, which leaves the request as it came', async () => {
    for (const policy of [{}, { maxInputTokens: 'auto' as const }]) {
      const { branch } = await openTestBranch({ policy, findModel })
      const { decision, request } = await branch.prepare(modelled('somebody-elses-model'))
      expect(decision).toMatchObject({ ceiling: null, ceilingSource: 'unpriced', action: 'pass' })
      expect(JSON.stringify(request)).toBe(JSON.stringify(modelled('somebody-elses-model')))
    }
  })

  it('[R4] is none where the policy says none, whatever the model', async () => {
    const { branch } = await openTestBranch({ policy: { maxInputTokens: 'none' }, findModel })
    expect((await branch.prepare(modelled('claude-haiku-5-5'))).decision).toMatchObject({
      ceiling: null,
      ceilingSource: 'none',
    })
  })

  it('[R17] may be set for a model by the app', async () => {
    const own = createModelLookup([{ model: 'house-model', maxInputTokens: 4321 }])
    const { branch } = await openTestBranch({ policy: {}, findModel: own })
    const { decision } = await branch.prepare(modelled('house-model'))
    expect(decision).toMatchObject({ ceiling: 4321, ceilingSource: 'model' })
  })

  it('[R8, R247] is never sent, nor is any other key of the policy', async () => {
    const policy = {
      maxInputTokens: 6000,
      contextFoldAt: 0.7,
      contextFoldTarget: 0.5,
      contextFoldTailMargin: 1,
      recovery: 'user' as const,
    }
    const { branch } = await openTestBranch({ policy })
    for (const length of conversation.requests.slice(0, 12)) {
      const incoming = requestAt(conversation, length)
      const prepared = await branch.prepare(incoming).catch(() => null)
      if (prepared === null) continue
      await prepared.settle({ usage: null })
      expect(Object.keys(prepared.request as JsonObject)).toEqual(Object.keys(incoming))
      const sent = JSON.stringify(prepared.request)
      for (const key of Object.keys(policy)) expect(sent).not.toContain(key)
    }
  })

  it('[R19, R308] is told with its source, line and target when the first request under a policy is decided', async () => {
    const { branch, events } = await openTestBranch({ policy: { maxInputTokens: 200_000 } })
    await branch.prepare(conversation.request)
    await branch.prepare(conversation.request)
    await branch.setPolicy({ maxInputTokens: 300_000 })
    await branch.prepare(conversation.request)
    const told = events.flatMap((event) =>
      event.type === 'policy-set' && event.resolved ? [event.resolved] : [],
    )
    expect(told).toMatchObject([
      { ceiling: 200_000, ceilingSource: 'policy', line: 160_000, target: 120_000 },
      { ceiling: 300_000, ceilingSource: 'policy', line: 240_000, target: 180_000 },
    ])
  })

  it('[R16] has a way back that the release notes name', () => {
    const notes = readFileSync(new URL('./CHANGELOG.md', import.meta.url), 'utf8')
    expect(notes).toContain("maxInputTokens: 'none'")
    expect(notes).toMatch(/refused/)
  })
})

describe('the measure of a request', () => {
  it('[R37] is the same for the first request of a conversation as for any other', async () => {
    const { branch } = await openTestBranch()
    const { decision } = await branch.prepare(conversation.request)
    expect(decision).toMatchObject({
      method: 'counted',
      counted: await count(countedText(conversation.request)),
    })
  })

  it('[R48, R172] is taken of the request that leaves, folded as it is', async () => {
    const { branch } = await openTestBranch({ policy: { maxInputTokens: 5000 } })
    let folded = 0
    for (const length of conversation.requests) {
      const prepared = await branch.prepare(requestAt(conversation, length)).catch(() => null)
      if (prepared === null) continue
      await prepared.settle({ usage: null })
      if (prepared.decision.action === 'fold') folded++
      expect(prepared.decision.counted).toBe(await count(countedText(prepared.request as JsonObject)))
    }
    expect(folded).toBeGreaterThan(1)
  })

  it('[R49] is forecast from the newest list by a preview, which changes nothing and decides nothing', async () => {
    const { branch } = await openTestBranch({ policy: { maxInputTokens: 400_000 } })
    const { decision } = await branch.prepare(conversation.request)
    const before = await branch.getMessages({ scope: 'all' })
    const preview = await branch.preview({ maxInputTokens: decision.counted + 10 })
    expect(preview).toMatchObject({
      before: decision.counted,
      ceiling: decision.counted + 10,
      action: 'fold',
    })
    expect(preview?.after).toBeLessThan(decision.counted)
    expect(await branch.getMessages({ scope: 'all' })).toEqual(before)
    expect((await branch.journal()).folds).toEqual([])
  })

  it('[R50] counts what an app adds to a result where it stands in the payload', async () => {
    const annotated = structuredClone(conversation.request) as JsonObject & {
      messages: { content: unknown }[]
    }
    const last = annotated.messages.at(-1)
    if (last) last.content = `${String(last.content)}\n[context: 71 % used]`
    const plain = (await (await openTestBranch()).branch.prepare(conversation.request)).decision
    const { decision } = await (await openTestBranch()).branch.prepare(annotated)
    expect(decision.counted).toBe(await count(countedText(annotated)))
    expect(decision.counted).toBeGreaterThan(plain.counted)
  })

  it('[R24] counts cached input like fresh, so that cache reads alone can pass the ceiling', async () => {
    const { branch } = await openTestBranch({ policy: { maxInputTokens: 40_000, run: 'bounded' } })
    const { request } = makeConversation({ seed: 52, format: 'anthropic', rounds: 30 })
    const first = await branch.prepare(request)
    await first.settle({
      usage: { input_tokens: 10, cache_read_input_tokens: 39_950, cache_creation_input_tokens: 30 },
    })
    const more = {
      ...request,
      messages: [
        ...request.messages,
        { role: 'assistant', content: 'Noted.' },
        { role: 'user', content: 'Go on, please, and name your sources.' },
      ],
    }
    await expect(branch.prepare(more)).rejects.toMatchObject({
      code: 'input_ceiling_exceeded',
      ceiling: 40_000,
    })
  })
})

describe('who shortens a conversation', () => {
  it('[R22] is the app or its model first, the fold second, and a refusal last', async () => {
    const { counted } = (await (await openTestBranch()).branch.prepare(conversation.request)).decision
    const ceiling = Math.floor(counted / 2)
    const play = async (cutFrom: number): Promise<string[]> => {
      const { branch } = await openTestBranch({ policy: { maxInputTokens: ceiling } })
      const [system, ...messages] = conversation.request.messages
      const list = messages.slice(cutFrom)
      const outcome = await branch
        .prepare({ ...conversation.request, messages: [system, ...list] as readonly JsonObject[] })
        .then(
          ({ decision }) => decision.action,
          () => 'refuse',
        )
      return [outcome]
    }
    const users = conversation.request.messages
      .slice(1)
      .flatMap((message, position) => (message.role === 'user' ? [position] : []))
    expect(await play(users.at(-1) ?? 0)).toEqual(['pass'])
    expect(await play(0)).toEqual(['fold'])
    const { branch } = await openTestBranch({ policy: { maxInputTokens: 50 } })
    await expect(branch.prepare(conversation.request)).rejects.toMatchObject({
      code: 'input_ceiling_exceeded',
    })
  })
})
