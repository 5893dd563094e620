import { describe, expect, it } from 'vitest'
import type { CompiledItem } from '../../engine/format.ts'
import type { JsonObject } from '../../engine/json.ts'
import { readMessage } from './entries.ts'
import { compose, write } from './write.ts'

const text = (words: string): JsonObject => ({ type: 'text', text: words })
const call = (toolCallId: string): JsonObject => ({ type: 'tool-call', toolCallId, toolName: 'f', input: {} })
const search: JsonObject = { ...call('s'), providerExecuted: true }
const found: JsonObject = {
  type: 'tool-result',
  toolCallId: 's',
  toolName: 'f',
  output: { type: 'json', value: {} },
}
const signed: JsonObject = {
  type: 'reasoning',
  text: 'hm',
  providerOptions: { anthropic: { signature: 's' } },
}
const redacted: JsonObject = {
  type: 'reasoning',
  text: '',
  providerOptions: { anthropic: { redactedData: 'x' } },
}
const openAi: JsonObject = {
  type: 'reasoning',
  text: '',
  providerOptions: { openai: { itemId: 'rs_1', reasoningEncryptedContent: null } },
}
const gemini: JsonObject = {
  type: 'reasoning',
  text: 'hm',
  providerOptions: { google: { thoughtSignature: 'x' } },
}
const bare: JsonObject = { type: 'reasoning', text: 'hm' }
const answer = (...content: readonly JsonObject[]): JsonObject => ({ role: 'assistant', content })
const user = (words: string): JsonObject => ({ role: 'user', content: [text(words)] })
const results = (toolCallId: string): JsonObject => ({
  role: 'tool',
  content: [{ type: 'tool-result', toolCallId, toolName: 'f', output: { type: 'text', value: 'ok' } }],
})

function item(message: JsonObject, first: number, kept?: readonly number[]): CompiledItem {
  const ordinals = readMessage(message).drafts.map((_, ordinal) => ordinal)
  return {
    type: 'message',
    native: message,
    snapshot: message,
    kept: kept ?? ordinals,
    indexes: ordinals.map((ordinal) => first + ordinal),
    whole: kept === undefined,
    projection: null,
  }
}

function cut(message: JsonObject, kept: readonly number[], model = 'gpt-5') {
  const [written] = compose([item(message, 10, kept)], { model, changedFrom: 1 }).messages
  return written && { content: (written.native as JsonObject).content, indexes: written.indexes }
}

describe('a message that lost drafts', () => {
  it('keeps the calls that stay, and the answer or none of it', () => {
    const message = answer(text('so'), call('a'), search, found, call('b'))
    expect(cut(message, [0, 2])).toEqual({
      content: [text('so'), search, found, call('b')],
      indexes: [10, 12],
    })
    expect(cut(message, [1])).toEqual({ content: [call('a')], indexes: [10, 11] })
    expect(cut(message, [])).toBeUndefined()
  })

  it('keeps reasoning for as long as anything is there that it led up to', () => {
    const message = answer(openAi, call('a'), bare, call('b'), gemini, text('so'))
    expect(cut(message, [1])).toEqual({ content: [openAi, call('a')], indexes: [10, 11] })
    expect(cut(message, [2])).toEqual({ content: [bare, call('b')], indexes: [10, 12] })
    expect(cut(message, [0, 1])?.content).toEqual([openAi, call('a'), gemini, text('so')])
    expect(cut(answer(openAi, bare, text('so'), call('a')), [1])?.content).toEqual([openAi, bare, call('a')])
    expect(cut(answer(bare, call('a')), [0])).toBeUndefined()
  })

  it('keeps the results that stay, and what was said beside them', () => {
    const [a, b] = [results('a'), results('b')].flatMap(({ content }) => content as readonly JsonObject[])
    const approval = { type: 'tool-approval-response', approvalId: 'x', approved: true }
    const message = { role: 'tool', content: [a, approval, b] } as unknown as JsonObject
    expect(cut(message, [1])).toEqual({ content: [b], indexes: [11] })
    expect(cut(message, [0, 2])).toEqual({ content: [a, approval], indexes: [10, 12] })
  })
})

describe('reasoning after a change', () => {
  const conversation = [
    user('a'),
    answer(signed, call('a')),
    results('a'),
    answer(redacted, text('so')),
    user('b'),
  ]
  const settled = (messages: readonly JsonObject[], options: Parameters<typeof compose>[1]) => {
    const { messages: sent, warnings } = compose(
      messages.map((message, position) => item(message, 10 * position)),
      options,
    )
    return { sent: sent.map(({ native }) => native), warnings }
  }

  it.each([undefined, 'claude-opus-5-5', 'gpt-5'])(
    'goes where it is signed, for %s, and a warning says so',
    (model) => {
      const { sent, warnings } = settled(conversation, { model, changedFrom: 1 })
      expect(sent).toEqual([user('a'), answer(call('a')), results('a'), answer(text('so')), user('b')])
      expect(warnings).toEqual([expect.objectContaining({ code: 'reasoning_dropped', indexes: [10, 30] })])
    },
  )

  it('stays before the change, and everywhere where there is none', () => {
    const { sent, warnings } = settled(conversation, { model: undefined, changedFrom: 3 })
    expect(sent.slice(0, 3)).toEqual(conversation.slice(0, 3))
    expect(sent[3]).toEqual(answer(text('so')))
    expect(warnings).toHaveLength(1)
    const whole = settled(conversation, { model: undefined, changedFrom: null })
    expect(whole.warnings).toEqual([])
    for (const [position, message] of whole.sent.entries()) expect(message).toBe(conversation[position])
  })

  it('stays where nothing binds it to what stood before', () => {
    const unbound = [
      user('a'),
      answer(openAi, text('so')),
      answer(gemini, text('so')),
      answer(bare, text('so')),
    ]
    const { sent, warnings } = settled(unbound, { model: undefined, changedFrom: 0 })
    expect(sent).toEqual(unbound)
    expect(warnings).toEqual([])
  })

  it('of a kind of some later time goes', () => {
    const later = { type: 'reasoning', text: 'hm', providerOptions: { other: { seal: 'x' } } }
    expect(settled([answer(later, text('so'))], { model: undefined, changedFrom: 0 }).sent).toEqual([
      answer(text('so')),
    ])
  })

  it('takes a message with it that was nothing else', () => {
    expect(settled([user('a'), answer(signed)], { model: undefined, changedFrom: 0 }).sent).toEqual([
      user('a'),
    ])
  })

  it('of the last turn stays where a model wants it ahead of its results', () => {
    const turn = [user('a'), answer(signed, text('so')), user('b'), answer(signed, call('a')), results('a')]
    const { sent, warnings } = settled(turn, { model: 'claude-sonnet-4-5', changedFrom: 0 })
    expect(sent).toEqual([user('a'), answer(text('so')), ...turn.slice(2)])
    expect(warnings).toEqual([expect.objectContaining({ indexes: [10] })])
    const asked = [...turn, user('beside'), answer(signed, text('so'))]
    expect(settled(asked, { model: 'claude-sonnet-4-5', changedFrom: 0 }).sent[3]).toBe(turn[3])
    const done = [...turn, answer(text('so')), user('c')]
    expect(settled(done, { model: 'claude-sonnet-4-5', changedFrom: 0 }).sent[3]).toEqual(answer(call('a')))
  })

  it("takes a result of the provider's tools with its call, however much later it stands", () => {
    const late = answer(found, text('so'))
    expect(settled([answer(search), late], { model: undefined, changedFrom: 0 }).sent[1]).toBe(late)
    expect(settled([user('a'), late], { model: undefined, changedFrom: 0 }).sent[1]).toEqual(
      answer(text('so')),
    )
    expect(settled([user('a'), late], { model: undefined, changedFrom: null }).sent[1]).toBe(late)
  })
})

describe('write', () => {
  it("replaces the list, and passes the app's own objects on", () => {
    const abortSignal = new AbortController().signal
    const fetch = (): void => undefined
    const image = {
      role: 'user',
      content: [{ type: 'file', data: new URL('https://x.example'), mediaType: 'image/png' }],
    }
    const request = {
      prompt: [],
      abortSignal,
      headers: { a: undefined },
      fetch,
      maxOutputTokens: 1,
    } as unknown as JsonObject
    const read = {
      model: undefined,
      fields: [],
      leading: [{ role: 'system', content: 's' }],
      messages: [image as unknown as JsonObject],
      tools: [],
    }
    const stored = {
      role: 'user',
      content: [{ type: 'file', data: 'https://x.example/', mediaType: 'image/png' }],
    }
    const written = write(request, read, [image as unknown as JsonObject, stored])
    expect(Object.keys(written)).toEqual(Object.keys(request))
    expect(written).toMatchObject({ abortSignal, headers: request.headers, fetch })
    const sent = written.prompt as unknown as readonly unknown[]
    expect(sent[0]).toBe(read.leading[0])
    expect(sent[1]).toBe(image)
    expect(sent[2]).toEqual(image)
  })
})

describe('what Gemini reads behind the AI SDK', () => {
  const gap = user('[Messages that stood here were left out by the app.]')
  const sent = (items: readonly CompiledItem[], model: string, changedFrom = 1): readonly unknown[] =>
    compose(items, { model, changedFrom }).messages.map(({ native }) => native)
  const said = answer(text('So far.'), call('a'))
  const next = answer(text('Next.'), call('b'))
  const folded = [item(user('one'), 0), item(said, 1, [0]), item(next, 4), item(results('b'), 6)]

  it('has a line between an answer and calls that stood apart, for it takes no calls right after an answer', () => {
    const left = answer(text('So far.'))
    expect(sent(folded, 'gemini-3-pro')).toEqual([user('one'), left, gap, next, results('b')])
    expect(sent(folded, 'gpt-5')).toEqual([user('one'), left, next, results('b')])
  })

  it('has one ahead of calls that nothing is left before', () => {
    expect(sent([item(next, 4), item(results('b'), 6)], 'gemini-3-pro', 0)).toEqual([gap, next, results('b')])
  })

  it('is what the app sent where its own answers stood side by side, or nothing was changed', () => {
    const own = [item(user('one'), 0), item(answer(text('So far.')), 1), item(next, 2), item(results('b'), 4)]
    expect(sent(own, 'gemini-3-pro')).not.toContainEqual(gap)
    expect(sent(folded, 'gemini-3-pro', 9)).not.toContainEqual(gap)
  })
})
