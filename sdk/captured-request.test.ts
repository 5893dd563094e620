import { describe, expect, it } from 'vitest'
import { makeConversation } from './testing/conversation.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { countedTokens } from './testing/play-conversation.ts'
import { scriptTokenCounter } from './testing/script-token-counter.ts'

type Message = { role: string; content: unknown }

describe('an app that changes its request while it is prepared', () => {
  it.each(['openai-chat', 'anthropic'] as const)(
    'gets what was measured, whole or folded, %s',
    async (format) => {
      const conversation = makeConversation({ seed: 81, format, rounds: 20 })
      for (const share of [2, 1 / 3]) {
        const ceiling = Math.floor((await countedTokens(conversation)) * share)
        const calm = await openTestBranch({ policy: { maxInputTokens: ceiling } })
        const { request: expected } = await calm.branch.prepare(structuredClone(conversation.request))
        const request = structuredClone(conversation.request) as unknown as {
          messages: Message[]
          tools: object[]
        }
        const counter = await scriptTokenCounter()
        let changes = 0
        const { branch } = await openTestBranch({
          policy: { maxInputTokens: ceiling },
          counter: {
            ...counter,
            count: async (texts) => {
              const last = request.messages[conversation.request.messages.length - 1]
              if (last) last.content = `changed ${++changes}`
              request.tools.push({ name: 'later', input_schema: {} })
              return counter.count(texts)
            },
          },
        })
        const preparing = branch.prepare(request)
        request.messages.push({ role: 'user', content: 'later '.repeat(5000) })
        const prepared = await preparing
        expect(changes).toBeGreaterThan(0)
        expect(JSON.stringify(prepared.request) === JSON.stringify(expected)).toBe(true)
        expect(prepared.decision.action).toBe(share > 1 ? 'pass' : 'fold')
      }
    },
  )

  it('gets its own object back where it changed nothing', async () => {
    const { request } = makeConversation({ seed: 82, format: 'openai-chat', rounds: 3 })
    const { branch } = await openTestBranch()
    expect((await branch.prepare(request)).request).toBe(request)
  })

  it('is told of a property that throws, without its words', async () => {
    const { branch } = await openTestBranch()
    const request = {
      model: 'm',
      get messages(): never {
        throw new Error('secret')
      },
    }
    await expect(branch.prepare(request)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.not.stringContaining('secret'),
    })
  })
})
