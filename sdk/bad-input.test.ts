import { describe, expect, it } from 'vitest'
import { createDogear } from './dogear.ts'
import { DogearError } from './errors.ts'
import { memoryStore } from './stores/memory.ts'
import { makeConversation } from './testing/conversation.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { scriptTokenCounter } from './testing/script-token-counter.ts'

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

  it('is an error too where an option has a name that there is none of', async () => {
    const { branch } = await openTestBranch()
    const { request } = makeConversation({ seed: 1, format: 'openai-chat', rounds: 2 })
    const options = { maxInputToken: 8000 } as object
    await expect(branch.prepare(request, options)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringMatching(
        /^prepare has no option named "maxInputToken"; it takes .*maxInputTokens/,
      ),
    })
    const dogear = createDogear({ store: memoryStore() })
    await expect(dogear.branch('chat', { modle: 'm' } as object)).rejects.toMatchObject({
      fields: { name: 'modle' },
    })
    const withHeaders = { branch: 'chat', headers: {} }
    expect(() => dogear.fetch(withHeaders)).toThrow(/^dogear.fetch has no option named "headers"/)
    await dogear.close()
  })

  type Broken = readonly [name: string, make: () => object, cause: string]
  const anywhere: readonly Broken[] = [
    ['a cycle', cycle, 'an object that holds itself'],
    ['a BigInt', () => ({ ...message, big: 1n }), 'a BigInt'],
    ['a toJSON that throws', () => ({ ...message, toJSON: throws }), 'whose toJSON throws'],
    ['a getter that throws', () => getter('meta'), 'a property that throws'],
    ['a role that throws', () => getter('role'), 'a property that throws'],
    ['100,000 levels of nesting', () => ({ ...message, deep: nested() }), 'nested too deeply'],
    ['a proxy that throws', () => new Proxy(message, { get: throws }), 'throws when it is read'],
    ['a revoked proxy', revoked, 'throws when it is read'],
  ]
  const messages: readonly Broken[] = [
    ...anywhere,
    ['a toJSON that returns nothing', () => ({ toJSON: () => undefined, ...message }), 'returns nothing'],
    ['a function', () => throws, 'function'],
    ['content that is a function', () => ({ ...message, content: throws }), 'function'],
  ]
  describe.each(['openai-chat', 'anthropic'] as const)('in a request of %s', (format) => {
    it.each(messages)('is named with the message that has it: %s', async (_, make, cause) => {
      await refuses({ messages: [message, make()] }, { format, part: 'messages[1]', cause })
    })

    it.each(anywhere)('is named with the key that has it: %s', async (_, make, cause) => {
      await refuses({ messages: [message], tools: [make()] }, { format, part: 'tools', cause })
    })
  })

  it('is named in a message that was whole in the request before', async () => {
    const { branch } = await openTestBranch()
    await branch.prepare({ model: 'm', messages: [message, { ...message, meta: 1 }], tools: [{ meta: 1 }] })
    const tool = Object.defineProperty({}, 'meta', { enumerable: true, get: throws })
    for (const bad of [{ messages: [message, getter('meta')] }, { messages: [message], tools: [tool] }])
      await expect(branch.prepare({ model: 'm', ...bad })).rejects.toMatchObject({
        code: 'invalid_request',
        fields: { actual: 'a property that throws when it is read' },
      })
  })

  it('is named where it stands in what is not counted but has to be read', async () => {
    for (const metadata of [cycle(), nested(), getter('user_id'), revoked()]) {
      const { branch } = await openTestBranch()
      const request = { model: 'm', max_tokens: 1, messages: [message], metadata }
      await expect(branch.prepare(request, { format: 'anthropic' })).rejects.toMatchObject({
        code: 'invalid_request',
        message: expect.stringMatching(/^metadata/),
      })
    }
  })

  it('takes a proxy, a function that JSON leaves out and a toJSON for what JSON makes of them', async () => {
    const { branch } = await openTestBranch()
    const plain = { model: 'm', messages: [{ role: 'user', content: 'Hello', at: '2024-01-01' }] }
    const { counted } = (await branch.prepare(plain)).decision
    for (const odd of [
      new Proxy({ ...plain.messages[0] }, {}),
      { ...plain.messages[0], callback: throws },
      { ...plain.messages[0], at: { toJSON: () => '2024-01-01' } },
    ]) {
      const request = { model: 'm', messages: [odd] }
      const prepared = await branch.prepare(request)
      expect(prepared.decision.counted).toBe(counted)
      expect(prepared.request).toBe(request)
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

  it('counts 50 MB in one message once, refuses it under a ceiling, and goes on', async () => {
    const counter = await scriptTokenCounter()
    const { branch } = await openTestBranch({ counter, policy: { maxInputTokens: 100_000 } })
    const tide = 'The tide was noted by the keeper, and the lamp was lit at nine. '.repeat(60)
    const content = Array.from({ length: 14_000 }, (_, number) => `${number}. ${tide}`).join('\n')
    expect(content.length).toBeGreaterThan(50_000_000)
    const huge = { model: 'm', messages: [message, { role: 'user', content }] }
    await expect(branch.prepare(huge)).rejects.toMatchObject({
      code: 'input_ceiling_exceeded',
      largestParts: expect.arrayContaining([expect.objectContaining({ part: 'instruction' })]),
    })
    const units = counter.counted.reduce((sum, text) => sum + text.length, 0)
    expect(units).toBeLessThan(content.length * 1.01)
    const before = counter.counted.length
    await expect(branch.prepare(huge)).rejects.toMatchObject({
      code: 'input_ceiling_exceeded',
    })
    expect(counter.counted.length).toBeLessThan(before + 10)
    expect((await branch.prepare({ model: 'm', messages: [message] })).decision.sent).toBe(true)
  }, 60_000)

  it('counts ten thousand tiny messages once, and of the next send the new message only', async () => {
    const counter = await scriptTokenCounter()
    const { branch } = await openTestBranch({ counter })
    const messages = Array.from({ length: 10_000 }, (_, number) => ({
      role: number % 2 === 0 ? 'user' : 'assistant',
      content: number.toString(36),
    }))
    const { counted } = (await branch.prepare({ model: 'm', messages })).decision
    const [whole] = await (await scriptTokenCounter()).count([JSON.stringify({ messages })])
    expect(counted).toBe(whole)
    expect(new Set(counter.counted).size).toBe(counter.counted.length)
    const before = counter.counted.length
    await branch.prepare({ model: 'm', messages: [...messages, { role: 'user', content: 'Go on.' }] })
    expect(counter.counted.slice(before).join('').length).toBeLessThan(100)
  }, 60_000)
})

const message = { role: 'user', content: 'Hello' }

/** Rejects with a typed error, counts no text of it twice, records nothing, and measures the next request. */
async function refuses(
  bad: { readonly messages: readonly object[]; readonly tools?: readonly object[] },
  {
    format,
    part,
    cause,
  }: { readonly format: 'openai-chat' | 'anthropic'; readonly part: string; readonly cause: string },
): Promise<void> {
  const counter = await scriptTokenCounter()
  const { branch } = await openTestBranch({ counter })
  const { request: sound } = makeConversation({ seed: 1, format, rounds: 2 })
  // With and without a request before it, from which equal messages are taken over.
  for (let time = 0; time < 2; time++) {
    const entries = (await branch.status()).entries
    const error = await branch.prepare({ ...sound, ...bad }, { format }).catch((reason: unknown) => reason)
    expect(DogearError.isInstance(error) && error.code).toBe('invalid_request')
    expect((error as DogearError).message).toContain(part)
    expect((error as DogearError).message).toContain(cause)
    expect((error as DogearError).message).not.toContain('secret')
    expect((await branch.status()).entries).toBe(entries)
    expect((await branch.prepare(sound)).request).toBe(sound)
  }
  expect(new Set(counter.counted).size).toBe(counter.counted.length)
}

function throws(): never {
  throw new TypeError('secret text')
}

function cycle(): object {
  const self: Record<string, unknown> = { ...message }
  self.list = [self]
  return self
}

function getter(key: string): object {
  return Object.defineProperty({ ...message }, key, { enumerable: true, get: throws })
}

function nested(): object {
  let value: object = {}
  for (let level = 0; level < 100_000; level++) value = level % 2 === 0 ? [value] : { value }
  return value
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({ ...message }, {})
  revoke()
  return proxy
}
