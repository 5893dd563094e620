import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject } from './engine/json.ts'
import { lintRequest } from './lint-request.ts'
import { openTestBranch } from './testing/open-branch.ts'

/** One long turn of a model that thinks before each call. */
function thinkingTurn(model: string, rounds: number): JsonObject {
  const messages: JsonObject[] = [{ role: 'user', content: 'Find the ledger.' }]
  for (let round = 0; round < rounds; round++) {
    const id = `toolu_${round}`
    messages.push(
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: `I look in box ${round}.`, signature: `signature${round}` },
          { type: 'tool_use', id, name: 'open_box', input: { box: round } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: id, content: `papers ${'of no use '.repeat(60)}` }],
      },
    )
  }
  return {
    model,
    max_tokens: 4096,
    thinking: { type: 'enabled', budget_tokens: 2048 },
    messages,
    tools: [{ name: 'open_box', input_schema: { type: 'object' } }],
  }
}

function thinkingBlocks(request: unknown): number {
  const messages = isObject(request) && Array.isArray(request.messages) ? request.messages : []
  return messages
    .flatMap((message: JsonObject) => message.content)
    .filter((block) => isObject(block) && block.type === 'thinking').length
}

async function playTurn(
  model: string,
): Promise<{ folds: number; last: unknown; codes: ReadonlySet<string> }> {
  const { branch } = await openTestBranch({ policy: { maxInputTokens: 1800 } })
  let folds = 0
  let last: unknown
  const codes = new Set<string>()
  for (let rounds = 1; rounds <= 25; rounds++) {
    const prepared = await branch.prepare(thinkingTurn(model, rounds))
    await prepared.settle({ usage: null })
    expect(lintRequest('anthropic', prepared.request)).toEqual([])
    if (prepared.decision.action === 'fold') folds++
    for (const { code } of prepared.warnings) codes.add(code)
    last = prepared.request
  }
  return { folds, last, codes }
}

describe('a fold under reasoning that binds to its prefix', () => {
  it('keeps the round that leads the turn where a model must start its tool results with thinking', async () => {
    const { folds, last } = await playTurn('claude-sonnet-4-5')
    expect(folds).toBeGreaterThan(1)
    expect(thinkingBlocks(last)).toBeGreaterThan(0)
  })

  it('leaves that round to no verb either', async () => {
    for (const [model, isKept] of [
      ['claude-sonnet-4-5', true],
      ['claude-opus-5-5', false],
    ] as const) {
      const { branch } = await openTestBranch()
      await branch.prepare(thinkingTurn(model, 4))
      const reply = await branch.contextTool.run({ action: 'evict', start: 1, end: 4 })
      expect(reply.success).toBe(!isKept)
      expect(await branch.evictActionResults({ keep: 1 })).toMatchObject({ success: true })
      const { request } = await branch.prepare(thinkingTurn(model, 5))
      expect(lintRequest('anthropic', request)).toEqual([])
    }
  })

  it('drops all thinking from the first change on where a model preserves it, and says so', async () => {
    const { folds, last, codes } = await playTurn('claude-opus-5-5')
    expect(folds).toBeGreaterThan(1)
    expect(thinkingBlocks(last)).toBe(0)
    expect([...codes].some((code) => code.includes('reasoning'))).toBe(true)
  })
})
