import { describe, expect, it } from 'vitest'
import type { ReadRequest, RequestRoute } from '../../engine/format.ts'
import type { JsonObject } from '../../engine/json.ts'
import { hostileRequests } from '../contract-hostile.ts'
import { loadFormat, recogniseFormat } from '../load-format.ts'
import { aiSdk } from './index.ts'
import { takesMarks } from './provider.ts'

const user: JsonObject = { role: 'user', content: [{ type: 'text', text: 'go' }] }

function read(request: JsonObject, route?: RequestRoute): ReadRequest {
  const outcome = aiSdk.read({ prompt: [user], ...request }, route)
  if (outcome.type === 'fault') throw new TypeError(outcome.fault.path)
  return outcome.request
}

const told = (provider: string, options: JsonObject): JsonObject => ({
  providerOptions: { [provider]: options },
})

describe('call options', () => {
  it('are known by their prompt, without the format being loaded', async () => {
    expect(recogniseFormat({ prompt: [user] })).toBe('ai-sdk')
    expect((await loadFormat('ai-sdk'))?.format).toBe('ai-sdk')
  })

  it.each([
    ['a text', { prompt: 'Once upon a time' }],
    ['texts', { prompt: ['Once', 'upon'] }],
    ['tokens', { prompt: [[1, 2], [3]] }],
    ['a stored prompt', { prompt: { id: 'pmpt_1' } }],
    ['no messages', { prompt: [] }],
    ['messages of another endpoint', { prompt: [user], messages: [{ role: 'user', content: 'x' }] }],
    ['roles of another kind', { prompt: [{ role: 'model', content: 'x' }] }],
  ])('are not %s', (_what, request) => {
    expect(aiSdk.recognises(request)).toBe(false)
    expect(recogniseFormat(request)).not.toBe('ai-sdk')
  })

  it('[R27] count the prompt, the tools and the schema of the answer, and nothing else', () => {
    const request = {
      responseFormat: { type: 'json' },
      tools: [],
      maxOutputTokens: 5,
      temperature: 0,
      headers: {},
    }
    expect(read(request).fields.map(({ key }) => key)).toEqual(['prompt', 'tools', 'responseFormat'])
  })

  it('have system messages at the head as slots, and those among others in the list', () => {
    const system = { role: 'system', content: 's' }
    const { leading, messages } = read({ prompt: [system, system, user, system] })
    expect(leading).toEqual([system, system])
    expect(messages).toEqual([user, system])
    expect(aiSdk.readMessage(system).drafts.map(({ kind }) => kind)).toEqual(['system'])
  })

  it('name the context tool by its schema', () => {
    const inputSchema = { type: 'object', properties: { action: { enum: ['read_result'] } } }
    const { tools } = read({
      tools: [
        { type: 'function', name: 'context', inputSchema },
        { type: 'provider', id: 'x.search', name: 'search', args: {} },
      ],
    })
    expect(tools).toEqual([
      { name: 'context', readsResults: true },
      { name: 'search', readsResults: false },
    ])
  })

  it.each([
    [told('openai', { previousResponseId: 'resp_1' }), 'resp_1'],
    [told('openai', { conversation: 'conv_1' }), 'conv_1'],
    [told('anthropic', { thread: { type: 'continue', previousMessageId: 'msg_1' } }), 'msg_1'],
    [told('anthropic', { thread: { type: 'new' } }), undefined],
    [told('openai', { store: true }), undefined],
  ])('[R39, R42] go on with a history that the provider holds: %j', (request, continues) => {
    expect(read(request).continues).toBe(continues)
  })

  it('tell the response that a later call can go on with', () => {
    expect(aiSdk.responseId?.({ content: [], response: { id: 'resp_1' } })).toBe('resp_1')
    expect(aiSdk.responseId?.([{ type: 'stream-start' }, { type: 'response-metadata', id: 'resp_2' }])).toBe(
      'resp_2',
    )
    expect(aiSdk.responseId?.({ usage: {}, id: 'other' })).toBeNull()
    expect(aiSdk.responseId?.(undefined)).toBeNull()
  })

  it.each(hostileRequests)(
    'answer %s in the place of the prompt without throwing',
    (_what, { messages, ...rest }) => {
      expect(() => {
        const request = { ...rest, prompt: messages }
        aiSdk.recognises(request)
        aiSdk.lint(request)
        const outcome = aiSdk.read(request)
        for (const message of outcome.type === 'read' ? outcome.request.messages : []) {
          aiSdk.plain?.(message)
          aiSdk.readMessage(message)
          aiSdk.resultBodies(message)
          aiSdk.cacheMarks?.read(message)
        }
      }).not.toThrow()
    },
  )
})

describe('where call options go', () => {
  it.each([
    [{ provider: 'anthropic' }, true],
    [{ provider: 'anthropic.messages', model: 'my-deployment' }, true],
    [{ provider: 'vertex.anthropic.messages' }, true],
    [{ model: 'claude-opus-5-5' }, true],
    [{ provider: 'amazon-bedrock', model: 'claude-opus-5-5' }, false],
    [{ provider: 'openai.responses' }, false],
    [{ provider: 'anthropical' }, false],
    [{ model: 'anthropic/claude-opus-5-5' }, false],
    [{ model: 'gpt-5' }, false],
    [{}, false],
  ])('[R253] decides whether they are marked: %j', (route, takes) => {
    expect(takesMarks(route)).toBe(takes)
    expect(read({}, route).takesNoMarks).toBe(takes ? undefined : true)
  })

  it('may end in a mark that the app asked for', () => {
    expect(read(told('anthropic', { cacheControl: { type: 'ephemeral', ttl: '1h' } })).endMark).toBe('1h')
    expect(read(told('anthropic', {})).endMark).toBeUndefined()
  })

  it.each([
    ['enabled', 'claude-sonnet-4-5', true],
    ['enabled', 'claude-opus-5-5', undefined],
    ['enabled', undefined, undefined],
    ['disabled', 'claude-sonnet-4-5', undefined],
  ])('%s thinking of %s keeps the head of the turn: %s', (type, model, keeps) => {
    expect(read(told('anthropic', { thinking: { type } }), { model }).keepsTurnHead).toBe(keeps)
  })

  const signed: JsonObject = {
    role: 'assistant',
    content: [{ type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 's' } } }],
  }

  it.each<[string, JsonObject, string | undefined, true | undefined]>([
    ['thinking', told('anthropic', { thinking: { type: 'adaptive' } }), undefined, true],
    [
      'thinking of a model that binds none',
      told('anthropic', { thinking: { type: 'enabled' } }),
      'claude-sonnet-4-5',
      undefined,
    ],
    ['no thinking', told('anthropic', { thinking: { type: 'disabled' } }), undefined, undefined],
    ['an effort', { reasoning: 'high' }, undefined, true],
    ['no effort', { reasoning: 'none' }, undefined, undefined],
    ['the effort of the provider', { reasoning: 'provider-default' }, undefined, undefined],
    ['signed reasoning', { prompt: [user, signed] }, undefined, true],
    ['neither', {}, undefined, undefined],
  ])('%s binds reasoning to what stands before it, or not', (_what, request, model, binds) => {
    expect(read(request, { model }).bindsReasoning).toBe(binds)
  })
})
