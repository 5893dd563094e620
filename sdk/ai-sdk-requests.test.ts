import { describe, expect, it } from 'vitest'
import { isObject, type JsonObject } from './engine/json.ts'
import type { CountTokens } from './ports.ts'
import { memoryStore } from './stores/memory.ts'
import { asAiSdk } from './testing/as-ai-sdk.ts'
import { describePlayedFormat } from './testing/describe-played-format.ts'
import { openTestBranch } from './testing/open-branch.ts'
import { scriptTokenCounter } from './testing/script-token-counter.ts'
import { loadTokenizer } from './tokenizer.ts'
import { aiSdk } from './wire/ai-sdk/index.ts'

const { countRequest } = await loadTokenizer()

const { requests, whole, sizeOfWhole } = describePlayedFormat({
  format: 'ai-sdk',
  spoken: 'through the AI SDK',
  seed: 89,
  parts: [2, 8, 40],
  ways: { prompt: asAiSdk },
  nothingReported: { usage: { inputTokens: { total: undefined }, outputTokens: {} } },
})

function promptOf(request: unknown): readonly JsonObject[] {
  const prompt = isObject(request) ? request.prompt : undefined
  return Array.isArray(prompt) ? prompt : []
}

function partsOf(request: unknown): readonly JsonObject[] {
  return promptOf(request).flatMap(({ content }) => (Array.isArray(content) ? content : []))
}

describe('folds of a conversation through the AI SDK', () => {
  it('[R15, R252] is the very object that came in where nothing is folded, signals and functions and all', async () => {
    const { branch } = await openTestBranch()
    for (const incoming of requests) {
      const request = {
        ...incoming,
        abortSignal: new AbortController().signal,
        headers: {},
        onError: () => undefined,
      }
      expect((await branch.prepare(request)).request).toBe(request)
    }
  })

  it('passes on what is not counted where something is folded, and drops signed reasoning with a warning', async () => {
    const { branch } = await openTestBranch({ policy: { maxInputTokens: Math.floor(sizeOfWhole / 2) } })
    const { signal } = new AbortController()
    const onError = (): undefined => undefined
    const codes = new Set<string>()
    let sent: JsonObject = {}
    for (const incoming of requests) {
      const prepared = await branch.prepare({ ...incoming, abortSignal: signal, onError })
      await prepared.settle({ usage: null })
      for (const { code } of prepared.warnings) codes.add(code)
      sent = prepared.request as unknown as JsonObject
    }
    expect(sent).toMatchObject({ abortSignal: signal, onError })
    expect(sent.abortSignal).toBe(signal)
    expect(codes).toContain('reasoning_dropped')
    const reasoning = partsOf(sent).filter(({ type }) => type === 'reasoning')
    expect(reasoning.length).toBeLessThan(partsOf(whole).filter(({ type }) => type === 'reasoning').length)
  })
})

/** A PNG header of 1,000 by 700 pixels. */
const base64 = 'iVBORw0KGgoAAAANSUhEUgAAA+gAAAK8'
const image = (): Uint8Array => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))

describe('bytes and links', () => {
  const said = (words: string) => ({ role: 'user', content: [{ type: 'text', text: words }] })
  const shown = () => ({
    role: 'user',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'file', mediaType: 'image/png', data: image() },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: image() } },
      { type: 'file', mediaType: 'image/png', data: new URL('https://pictures.example/a.png') },
      {
        type: 'file',
        mediaType: 'image/png',
        data: { type: 'url', url: new URL('https://pictures.example/b.png') },
      },
    ],
  })
  const answer = { role: 'assistant', content: [{ type: 'text', text: 'A mill.' }] }

  it('leave as the very objects, are billed as images, and are matched by what they hold', async () => {
    const { branch } = await openTestBranch()
    const request = { prompt: [said('Look.'), answer, shown()] }
    const first = await branch.prepare(request, { model: 'claude-sonnet-4-5' })
    expect(first.request).toBe(request)
    const { tokens } = first.decision.parts.find(({ part }) => part === 'media') ?? { tokens: 0 }
    expect(tokens).toBe(2 * 900 + 2 * 1_568)
    expect(first.decision.counted).toBeLessThan(tokens + 300)
    const next = { prompt: [said('Look.'), answer, shown(), answer, said('Whose?')] }
    const second = await branch.prepare(next, { model: 'claude-sonnet-4-5' })
    expect(second.request).toBe(next)
    expect(second.decision.lineId).toBe(first.decision.lineId)
    expect((await branch.lines()).length).toBe(1)
    const other = shown()
    Object.assign(other.content[1] ?? {}, { data: image().with(4, 7) })
    await branch.prepare({ prompt: [said('Look.'), answer, other, answer, said('Whose?')] })
    expect((await branch.lines()).length).toBe(2)
  })

  /** The same message as it is written anew. */
  const rewritten = (marks: JsonObject = {}): unknown => ({
    role: 'user',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'file', mediaType: 'image/png', data: base64 },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: base64 } },
      { type: 'file', mediaType: 'image/png', data: new URL('https://pictures.example/a.png') },
      {
        type: 'file',
        mediaType: 'image/png',
        data: { type: 'url', url: new URL('https://pictures.example/b.png') },
        ...marks,
      },
    ],
  })

  it('are base64 and URLs again, which the specification takes, where their message is written anew', async () => {
    const { branch } = await openTestBranch({ policy: { maxInputTokens: 'none', promptCaching: true } })
    const { request } = await branch.prepare({ prompt: [shown()] }, { provider: 'anthropic' })
    const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } }
    expect(request.prompt).toEqual([rewritten({ providerOptions })])
  })

  it('leave as they were read where the app changes them meanwhile', async () => {
    const message = shown()
    const counter = await scriptTokenCounter()
    const changing: CountTokens = {
      ...counter,
      count: async (texts) => {
        const { data } = message.content[1] ?? {}
        if (data instanceof Uint8Array) data.fill(0)
        return counter.count(texts)
      },
    }
    const { branch } = await openTestBranch({ counter: changing })
    const request = { prompt: [message, answer, said('Whose?')] }
    const { request: sent } = await branch.prepare(request)
    expect(sent.prompt[0]).toEqual(rewritten())
    expect(sent.prompt[1]).toBe(answer)
  })

  it('are stored as texts, and known again when the branch is opened anew', async () => {
    const store = memoryStore()
    const { branch } = await openTestBranch({ store })
    await branch.prepare({ prompt: [said('Look.'), answer, shown()] })
    expect(await branch.verify()).toMatchObject({ ok: true, originals: 3 })
    const again = await openTestBranch({ store })
    const request = { prompt: [said('Look.'), answer, shown(), answer, said('Whose?')] }
    expect((await again.branch.prepare(request)).request).toBe(request)
    expect((await again.branch.lines()).length).toBe(1)
    expect((await again.branch.status()).entries).toBe(5)
  })
})

describe('cache marks through the AI SDK', () => {
  const request = {
    prompt: [
      { role: 'system', content: 'You look things up.' },
      { role: 'system', content: 'You are brief.' },
      { role: 'user', content: [{ type: 'text', text: 'Look around.' }] },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'look', input: {} }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'look',
            output: { type: 'text', value: 'A door.' },
          },
        ],
      },
    ],
    tools: [{ type: 'function', name: 'look', inputSchema: { type: 'object' } }],
  }
  const marked = (sent: unknown): readonly string[] =>
    promptOf(sent).flatMap((message, position) =>
      (aiSdk.cacheMarks?.read(message) ?? []).map(({ lifetime }) => `${position} ${lifetime}`),
    )
  const policy = { maxInputTokens: 2_500, promptCaching: true }

  it('[R274] end the system for an hour and the last message for a while, where the provider is Anthropic', async () => {
    const { branch } = await openTestBranch({ policy })
    const {
      request: sent,
      warnings,
      decision,
    } = await branch.prepare(request, { provider: 'anthropic.messages' })
    expect(marked(sent)).toEqual(['1 1h', '4 5m'])
    expect(sent.prompt[0]).toBe(request.prompt[0])
    expect(sent.prompt[2]).toBe(request.prompt[2])
    expect(sent.tools[0]).toBe(request.tools[0])
    expect(request.prompt[1]).toEqual({ role: 'system', content: 'You are brief.' })
    expect(warnings).toEqual([])
    expect(countRequest(sent).total).toBe(decision.counted)
  })

  it('end the tools where there is no system', async () => {
    const { branch } = await openTestBranch({ policy })
    const { request: sent } = await branch.prepare(
      { ...request, prompt: request.prompt.slice(2) },
      { model: 'claude-opus-5-5' },
    )
    expect(aiSdk.cacheMarks?.read(sent.tools as never)).toEqual([{ owner: 0, lifetime: '1h' }])
    expect(marked(sent)).toEqual(['2 5m'])
  })

  it("leave the app's own in their places", async () => {
    const { branch } = await openTestBranch({ policy })
    const own = { anthropic: { cacheControl: { type: 'ephemeral' } } }
    const [first, second, ...rest] = request.prompt
    const prompt = [{ ...first, providerOptions: own }, { ...second, providerOptions: own }, ...rest]
    const { request: sent } = await branch.prepare({ ...request, prompt }, { provider: 'anthropic' })
    expect(marked(sent)).toEqual(['0 5m', '1 5m', '4 5m'])
    expect(sent.prompt[1]).toBe(prompt[1])
  })

  it.each([{ provider: 'openai.responses' }, { model: 'gpt-5' }, {}])(
    '[R253] are none elsewhere, and a warning says so: %j',
    async (route) => {
      const { branch } = await openTestBranch({ policy })
      const { request: sent, warnings } = await branch.prepare(request, route)
      expect(sent).toBe(request)
      expect(warnings.map(({ code }) => code)).toContain('setting_without_effect')
    },
  )
})
