import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../engine/json.ts'
import { readUsage } from '../../read-usage.ts'
import { loadTokenizer } from '../../tokenizer.ts'
import { ask, type Spoken, spoken } from './ask-provider.ts'
import type { ProviderModel } from './model.ts'
import { createProvider, type Provider } from './provider.ts'

const { count } = await loadTokenizer()

const schema = { type: 'object', properties: { place: { type: 'string', description: 'Where to look' } } }
const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ'.repeat(40)
/** What an image is billed as. */
const IMAGE = 765

interface Billed {
  readonly request: JsonObject
  /** What is read of it, each piece as the model sees it. */
  readonly read: readonly JsonObject[]
  /** What changes nothing, however long it is. */
  readonly unread: JsonObject
  /** The same request with an image at the end of its last message. */
  readonly withImage: JsonObject
}

const chatTool = { type: 'function', function: { name: 'look', description: 'Looks.', parameters: schema } }
const chatFormat = { type: 'json_schema', json_schema: { name: 'place', schema } }
const chatMessages = [
  { role: 'system', content: 'You look at things.' },
  { role: 'user', content: 'What is there?' },
]
const chatImage = { role: 'user', content: [{ type: 'image_url', image_url: {} }] }

const itemTool = { type: 'function', name: 'look', description: 'Looks.', parameters: schema }
const itemText = { format: { type: 'json_schema', name: 'place', schema } }
const items = [{ role: 'user', content: 'What is there?' }]
const itemImage = { role: 'user', content: [{ type: 'input_image' }] }
const reasoned = [
  { type: 'reasoning', id: 'rs_1', summary: [] },
  { role: 'assistant', content: 'A box.' },
  { role: 'user', content: 'And now?' },
]

const claudeTool = { name: 'look', description: 'Looks.', input_schema: schema }
const claudeFormat = { format: { type: 'json_schema', schema } }
const asked = { type: 'text', text: 'What is there?' }
const claudeImage = { type: 'image', source: { type: 'base64', media_type: 'image/png' } }

const declaration = { name: 'look', description: 'Looks.', parametersJsonSchema: schema }
const instruction = { parts: [{ text: 'You look at things.' }] }
const called: readonly { readonly role: string; readonly parts: readonly JsonObject[] }[] = [
  { role: 'user', parts: [{ text: 'What is there?' }] },
  { role: 'model', parts: [{ functionCall: { name: 'look', args: {} } }] },
  { role: 'user', parts: [{ functionResponse: { name: 'look', response: { output: 'a box' } } }] },
]

const billed: Readonly<Record<Spoken, Billed>> = {
  'openai-chat': {
    request: { model: 'm', messages: chatMessages, tools: [chatTool], response_format: chatFormat },
    read: [chatTool, { response_format: chatFormat }, ...chatMessages],
    unread: { user: 'somebody', metadata: { about: 'a long story' }, max_completion_tokens: 9 },
    withImage: {
      messages: [
        ...chatMessages,
        {
          ...chatImage,
          content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } }],
        },
      ],
    },
  },
  'openai-responses': {
    request: {
      model: 'm',
      instructions: 'Look.',
      input: [...items, ...reasoned],
      tools: [itemTool],
      text: itemText,
    },
    read: [itemTool, { text: itemText }, { instructions: 'Look.' }, ...items, ...reasoned],
    unread: {
      metadata: { about: 'a long story' },
      input: [...items, { ...reasoned[0], encrypted_content: image }, ...reasoned.slice(1)],
    },
    withImage: {
      input: [
        ...items,
        ...reasoned,
        {
          ...itemImage,
          content: [{ type: 'input_image', image_url: `data:image/png;base64,${image}` }],
        },
      ],
    },
  },
  anthropic: {
    request: {
      model: 'm',
      max_tokens: 9,
      system: 'You look at things.',
      tools: [claudeTool],
      output_config: claudeFormat,
      messages: [{ role: 'user', content: 'What is there?' }],
    },
    read: [claudeTool, { output_config: claudeFormat }, { type: 'text', text: 'You look at things.' }, asked],
    unread: {
      metadata: { user_id: 'a long name' },
      messages: [{ role: 'user', content: [{ ...asked, cache_control: { type: 'ephemeral' } }] }],
    },
    withImage: {
      messages: [
        {
          role: 'user',
          content: [asked, { ...claudeImage, source: { ...claudeImage.source, data: image } }],
        },
      ],
    },
  },
  gemini: {
    request: {
      model: 'm',
      systemInstruction: instruction,
      tools: [{ functionDeclarations: [declaration] }],
      generationConfig: { responseJsonSchema: schema },
      contents: called,
    },
    read: [
      declaration,
      { responseJsonSchema: schema },
      { systemInstruction: instruction },
      ...called.flatMap(({ parts }) => parts),
    ],
    unread: {
      labels: { about: 'a long story' },
      contents: called.map(({ role, parts }) => ({
        role,
        parts: parts.map((part) => ({ ...part, thoughtSignature: image })),
      })),
    },
    withImage: {
      contents: [
        ...called,
        { role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: image } }] },
      ],
    },
  },
}

/** What the image's place costs beside the image. */
const imagePlace: Readonly<Record<Spoken, JsonObject>> = {
  'openai-chat': chatImage,
  'openai-responses': itemImage,
  anthropic: claudeImage,
  gemini: { inlineData: { mimeType: 'image/png' } },
}

const tokensOf = (parts: readonly JsonObject[]): number =>
  parts.reduce((sum, part) => sum + count(JSON.stringify(part)), 0)

const open = (model: Partial<ProviderModel> = {}): Provider =>
  createProvider({ models: { m: { window: 100_000, ...model } }, count, answer: () => ({ text: 'A box.' }) })

async function inputOf(provider: Provider, format: Spoken, request: JsonObject): Promise<number | undefined> {
  const response = await ask(provider, format, request)
  return readUsage(format, await response.json())?.input
}

describe.each(spoken)('what %s reports of a request', (format) => {
  const { request, read, unread, withImage } = billed[format]

  it.each([1, 1.1, 1.35])('[R32] is what it reads, counted, times %d', async (factor) => {
    const provider = open({ factor })
    const expected = Math.ceil(tokensOf(read) * factor)
    expect(await inputOf(provider, format, request)).toBe(expected)
    expect(provider.requests[0]?.input).toBe(expected)
  })

  it('has nothing of names, marks, signatures and whatever else is not read', async () => {
    expect(await inputOf(open(), format, { ...request, ...unread })).toBe(tokensOf(read))
  })

  it('has a price for an image, and not its data as text', async () => {
    const place = count(JSON.stringify(imagePlace[format]))
    expect(await inputOf(open(), format, { ...request, ...withImage })).toBe(tokensOf(read) + place + IMAGE)
  })

  it('[R32] tells how much of the answer was thought, and all of it', async () => {
    const provider = createProvider({
      models: { m: { window: 100_000, factor: 2 } },
      count,
      answer: () => ({ reasoning: 'It looks like a box to me.', text: 'A box.' }),
    })
    const usage = readUsage(format, await (await ask(provider, format, request)).json())
    const thought = 2 * count('It looks like a box to me.')
    expect(usage?.output).toBe(2 * count('A box.') + thought)
    expect(JSON.stringify(usage?.raw)).toMatch(
      new RegExp(`"(reasoning|thinking|thoughts)\\w+":${thought}\\b`),
    )
  })
})
