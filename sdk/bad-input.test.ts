import { describe, expect, it } from 'vitest'
import { DogearError } from './errors.ts'
import { makeConversation } from './testing/conversation.ts'
import { openTestBranch } from './testing/open-branch.ts'

describe('bad input', () => {
  const cases: readonly [string, unknown][] = [
    ['a string', 'hello'],
    ['null', null],
    ['an empty list', { model: 'm', messages: [] }],
    ['messages that are no list', { model: 'm', messages: {} }],
    ['a message without a role', { model: 'm', messages: [{ content: 'x' }] }],
    ['an unknown shape', { prompt: 7 }],
  ]
  for (const [name, request] of cases)
    it(`is a typed error with nothing lost: ${name}`, async () => {
      const test = await openTestBranch()
      const error = await test.branch.prepare(request).catch((reason: unknown) => reason)
      expect(DogearError.isInstance(error)).toBe(true)
      expect((error as DogearError).code).toMatch(/^(invalid_request|unknown_format)$/)
      expect((await test.branch.status()).entries).toBe(0)
      const { request: sound } = makeConversation({ seed: 1, format: 'openai-chat', rounds: 2 })
      expect((await test.branch.prepare(sound)).request).toEqual(sound)
    })

  it('names the message that JSON cannot hold: a cycle, a BigInt, a toJSON that throws', async () => {
    const cycle: Record<string, unknown> = { role: 'user', content: 'x' }
    cycle.self = cycle
    const throwing = {
      role: 'user',
      content: 'x',
      toJSON: () => {
        throw new Error('secret text')
      },
    }
    for (const message of [cycle, { role: 'user', content: 'x', big: 1n }, throwing]) {
      const { branch } = await openTestBranch()
      const error = await branch
        .prepare({ model: 'm', messages: [{ role: 'user', content: 'a' }, message] })
        .catch((reason: unknown) => reason)
      expect(error).toMatchObject({ code: 'invalid_request' })
      expect((error as DogearError).message).toContain('messages[1]')
      expect((error as DogearError).message).not.toContain('secret')
    }
  })

  it('names an option that is none, and measures as before', async () => {
    const { request } = makeConversation({ seed: 1, format: 'openai-chat', rounds: 2 })
    const { branch } = await openTestBranch()
    for (const options of [
      null,
      { signal: new AbortController() },
      { model: 5 },
      { run: 'x' },
      { format: Symbol('x') },
    ])
      await expect(branch.prepare(request, options as never)).rejects.toMatchObject({
        code: 'invalid_argument',
      })
    expect((await branch.prepare(request)).decision.method).toBe('counted')
  })

  it.each(['constructor', '__proto__', 'toString'])('takes a model of the name %s', async (model) => {
    const { request } = makeConversation({ seed: 1, format: 'openai-chat', rounds: 2 })
    const { branch } = await openTestBranch({ policy: { maxInputTokens: 100_000 } })
    const prepared = await branch.prepare({ ...request, model })
    await prepared.settle({ usage: { prompt_tokens: 9000 } })
    expect(prepared.decision.scale).toBe(1)
  })

  it('changes nothing when the signal was aborted', async () => {
    const test = await openTestBranch()
    const controller = new AbortController()
    controller.abort()
    const { request } = makeConversation({ seed: 1, format: 'openai-chat', rounds: 2 })
    await expect(test.branch.prepare(request, { signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
    })
    expect((await test.branch.status()).entries).toBe(0)
  })
})
