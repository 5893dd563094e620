import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../engine/json.ts'
import { ask } from './ask-provider.ts'
import { createProvider, type Provider } from './provider.ts'

const tool = { name: 'look', description: 'Looks.', input_schema: { type: 'object' } }
const result = { type: 'tool_result', tool_use_id: 'call_1', content: 'a box' }

const open = (thinking: 'preserved' | 'manual'): Provider =>
  createProvider({
    models: { m: { window: 10_000, thinking } },
    count: (text) => text.length,
    answer: ({ messages }) =>
      messages.some(({ results }) => results.length > 0)
        ? { reasoning: 'It is a box.', text: 'A box.' }
        : { reasoning: 'I look.', text: 'Wait.', calls: [{ name: 'look', arguments: {} }] },
  })

const asking = (messages: readonly JsonObject[]): JsonObject => ({
  model: 'm',
  max_tokens: 99,
  system: 'You look at things.',
  tools: [tool],
  thinking: { type: 'enabled', budget_tokens: 1024 },
  messages,
})

/** A question, a call, its result, the answer and one question more, as the provider thought of them. */
async function conversation(provider: Provider): Promise<JsonObject> {
  const messages: JsonObject[] = [{ role: 'user', content: 'What is there?' }]
  for (const content of [[result], 'And now?']) {
    const response = await ask(provider, 'anthropic', asking(messages))
    const answer = (await response.json()) as JsonObject
    messages.push({ role: 'assistant', content: answer.content ?? null }, { role: 'user', content })
  }
  return asking(messages)
}

function changedAt(request: JsonObject, place: number, message: JsonObject | null): JsonObject {
  const messages = (request.messages as readonly JsonObject[]).flatMap((one, at) =>
    at !== place ? [one] : message === null ? [] : [message],
  )
  return { ...request, messages }
}

/** A message without its blocks of a type, or with each of them changed. */
function withBlocks(
  request: JsonObject,
  place: number,
  change: (block: JsonObject) => JsonObject | null,
): JsonObject {
  const message = (request.messages as readonly JsonObject[])[place] ?? {}
  const content = (message.content as readonly JsonObject[]).flatMap((block): readonly JsonObject[] => {
    const changed = change(block)
    return changed === null ? [] : [changed]
  })
  return changedAt(request, place, { ...message, content })
}

const isThinking = ({ type }: JsonObject): boolean => type === 'thinking'

const otherwise =
  'Invalid `signature` in `thinking` block. The block is bound to a different conversation. Remove the block, or set `thinking.block_binding.prefix_mismatch_behavior` to "drop_block".'

/** What was changed, and the first block that is bound to something else by it. */
const changes: readonly (readonly [
  what: string,
  path: string,
  change: (request: JsonObject) => JsonObject,
])[] = [
  ['the system', 'messages.1.content.0', (request) => ({ ...request, system: 'You look.' })],
  ['a tool', 'messages.1.content.0', (request) => ({ ...request, tools: [{ ...tool, name: 'see' }] })],
  ['no tools', 'messages.1.content.0', ({ tools: _, ...request }) => request],
  [
    'the first question',
    'messages.1.content.0',
    (request) => changedAt(request, 0, { role: 'user', content: 'What?' }),
  ],
  [
    'a result',
    'messages.3.content.0',
    (request) => changedAt(request, 2, { role: 'user', content: [{ ...result, content: 'cleared' }] }),
  ],
  [
    'the text of an answer',
    'messages.3.content.0',
    (request) =>
      withBlocks(request, 1, (block) => (block.type === 'text' ? { ...block, text: 'W.' } : block)),
  ],
  [
    'the reasoning before it, which is left out',
    'messages.3.content.0',
    (request) => withBlocks(request, 1, (block) => (isThinking(block) ? null : block)),
  ],
  [
    'the reasoning itself',
    'messages.1.content.0',
    (request) =>
      withBlocks(request, 1, (block) => (isThinking(block) ? { ...block, thinking: 'I.' } : block)),
  ],
]

const modes = [
  ['whole', false],
  ['streamed', true],
] as const

describe.each(modes)('preserved reasoning, %s', (_, stream) => {
  it.each(changes)('is rejected where %s changed', async (_what, path, change) => {
    const provider = open('preserved')
    const request = await conversation(provider)
    const unchanged = await ask(provider, 'anthropic', { ...request, stream })
    expect(unchanged.status).toBe(200)
    const rejected = await ask(provider, 'anthropic', { ...change(request), stream })
    expect(rejected.status).toBe(400)
    expect(await rejected.json()).toEqual({
      type: 'error',
      error: { type: 'invalid_request_error', message: `${path}: ${otherwise}` },
    })
  })

  it('may be dropped by the provider, or left out from the change on', async () => {
    const provider = open('preserved')
    const changed = { ...(await conversation(provider)), system: 'You look.', stream }
    const thinking = { type: 'enabled', block_binding: { prefix_mismatch_behavior: 'drop_block' } }
    expect((await ask(provider, 'anthropic', { ...changed, thinking })).status).toBe(200)
    const without = [1, 3].reduce<JsonObject>(
      (request, place) => withBlocks(request, place, (block) => (isThinking(block) ? null : block)),
      changed,
    )
    expect((await ask(provider, 'anthropic', without)).status).toBe(200)
  })

  it('is bound neither to cache marks nor to the form of a text', async () => {
    const provider = open('preserved')
    const request = await conversation(provider)
    const marked = { ...tool, cache_control: { type: 'ephemeral' } }
    const content = [{ type: 'text', text: 'What is there?', cache_control: { type: 'ephemeral' } }]
    const same = changedAt({ ...request, tools: [marked], stream }, 0, { role: 'user', content })
    expect((await ask(provider, 'anthropic', same)).status).toBe(200)
  })
})

describe('the calls of Gemini', () => {
  it('are signed once in a step, at the first of them', async () => {
    const provider = createProvider({
      models: { m: { window: 10_000, thinking: 'preserved' } },
      count: (text) => text.length,
      answer: () => ({ calls: ['look', 'list'].map((name) => ({ name, arguments: {} })) }),
    })
    const contents = [{ role: 'user', parts: [{ text: 'go' }] }]
    const answer = (await (await ask(provider, 'gemini', { model: 'm', contents })).json()) as JsonObject
    const signed = {
      functionCall: { name: 'look', args: {} },
      thoughtSignature: expect.stringMatching(/^sig_/),
    }
    const unsigned = { functionCall: { name: 'list', args: {} } }
    expect(answer.candidates).toMatchObject([{ content: { parts: [signed, unsigned] } }])
    expect(JSON.stringify(answer).match(/thoughtSignature/g)).toHaveLength(1)
  })
})

describe.each(modes)('manual reasoning, %s', (_, stream) => {
  const atResults = async (provider: Provider): Promise<JsonObject> => {
    const request = await conversation(provider)
    return { ...request, messages: (request.messages as readonly JsonObject[]).slice(0, 3), stream }
  }

  it('is rejected where the turn that its results close has lost its beginning', async () => {
    const provider = open('manual')
    const request = await atResults(provider)
    expect((await ask(provider, 'anthropic', request)).status).toBe(200)
    const cut = withBlocks(request, 1, (block) => (isThinking(block) ? null : block))
    const rejected = await ask(provider, 'anthropic', cut)
    expect(rejected.status).toBe(400)
    expect(JSON.stringify(await rejected.json())).toContain(
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`.',
    )
  })

  it('is bound to nothing before it, and not missed where it is off or the turn is over', async () => {
    const provider = open('manual')
    const request = await atResults(provider)
    const changed = { ...request, system: 'You look.', tools: [{ ...tool, name: 'see' }] }
    expect((await ask(provider, 'anthropic', changed)).status).toBe(200)
    const cut = withBlocks(request, 1, (block) => (isThinking(block) ? null : block))
    const off = { ...cut, thinking: { type: 'disabled' } }
    expect((await ask(provider, 'anthropic', off)).status).toBe(200)
    const other = open('manual')
    const over = withBlocks(await conversation(other), 1, (block) => (isThinking(block) ? null : block))
    expect((await ask(other, 'anthropic', { ...over, stream })).status).toBe(200)
  })
})
