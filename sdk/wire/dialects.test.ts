import { describe, expect, it } from 'vitest'
import type { Format } from '../engine/format.ts'
import type { JsonObject } from '../engine/json.ts'
import { listRequest, roundsOf, withoutEntries } from './contract-lists.ts'
import { detectFormat } from './detect.ts'
import { recogniseFormat } from './load-format.ts'

const tool = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } }

/** A chat of two rounds, as each dialect sends it. */
function chat({
  system = { role: 'system', content: 'Answer from the record.' },
  answer = {},
  result = {},
  last = { role: 'user', content: 'And the bridge?' },
  id = 'call_1',
  ...request
}: {
  readonly system?: JsonObject
  readonly answer?: JsonObject
  readonly result?: JsonObject
  readonly last?: JsonObject
  readonly id?: string
  readonly [key: string]: JsonObject[string]
}): JsonObject {
  const called = { id, type: 'function', function: { name: 'look', arguments: '{"what":"tower"}' } }
  return {
    messages: [
      system,
      { role: 'user', content: 'How tall is the tower?' },
      { role: 'assistant', content: null, tool_calls: [called], ...answer },
      { role: 'tool', tool_call_id: id, content: '91', ...result },
      { role: 'assistant', content: '91 metres.' },
      last,
    ],
    tools: [tool],
    ...request,
  }
}

const text = (said: string): JsonObject => ({ type: 'text', text: said })

const requests: readonly (readonly [dialect: string, format: Format, request: JsonObject])[] = [
  [
    'OpenAI',
    'openai-chat',
    chat({
      model: 'gpt-5.5',
      system: { role: 'developer', content: 'Answer from the record.' },
      max_completion_tokens: 900,
      reasoning_effort: 'low',
      store: true,
      parallel_tool_calls: true,
      prompt_cache_key: 'tower',
    }),
  ],
  [
    'Azure, which names the model by its address',
    'openai-chat',
    chat({ data_sources: [{ type: 'azure_search', parameters: { index_name: 'towers' } }] }),
  ],
  [
    'DeepSeek',
    'openai-chat',
    chat({
      model: 'deepseek-reasoner',
      thinking: { type: 'enabled' },
      answer: { content: '', reasoning_content: 'The record will say.' },
    }),
  ],
  [
    'Groq',
    'openai-chat',
    chat({
      model: 'openai/gpt-oss-120b',
      reasoning_format: 'parsed',
      service_tier: 'flex',
      answer: { reasoning: 'The record will say.' },
    }),
  ],
  [
    'Mistral, whose ids are short and whose results are named',
    'openai-chat',
    chat({
      model: 'mistral-large-latest',
      safe_prompt: true,
      id: 'D681PevKs',
      answer: {
        content: [{ type: 'thinking', thinking: [text('The record will say.')] }, text('')],
        prefix: false,
      },
      result: { name: 'look' },
    }),
  ],
  [
    'OpenRouter',
    'openai-chat',
    chat({
      model: 'anthropic/claude-sonnet-5',
      models: ['anthropic/claude-sonnet-5', 'openai/gpt-5.5'],
      provider: { order: ['anthropic'], allow_fallbacks: false },
      plugins: [{ id: 'context-compression', enabled: false }],
      transforms: [],
      usage: { include: true },
      system: {
        role: 'system',
        content: [{ ...text('Answer from the record.'), cache_control: { type: 'ephemeral' } }],
      },
      answer: {
        reasoning: 'The record will say.',
        reasoning_details: [{ type: 'reasoning.text', text: 'The record will say.', signature: 'c2ln' }],
      },
    }),
  ],
  [
    'xAI',
    'openai-chat',
    chat({
      model: 'grok-4.6',
      search_parameters: { mode: 'off' },
      answer: { content: '', reasoning_content: 'The record will say.', refusal: null },
    }),
  ],
  [
    'llama.cpp',
    'openai-chat',
    chat({
      cache_prompt: true,
      id_slot: 1,
      n_predict: 900,
      timings_per_token: true,
      chat_template_kwargs: { enable_thinking: false },
      answer: { reasoning_content: 'The record will say.' },
    }),
  ],
  ['LM Studio', 'openai-chat', chat({ model: 'qwen3-8b', ttl: 300, draft_model: 'qwen3-0.6b' })],
  [
    'vLLM',
    'openai-chat',
    chat({
      model: 'meta-llama/Llama-3.3-70B-Instruct',
      guided_json: { type: 'object' },
      min_p: 0.1,
      repetition_penalty: 1.1,
      answer: { reasoning: 'The record will say.' },
    }),
  ],
  [
    "Ollama's compatible route",
    'openai-chat',
    chat({
      model: 'gpt-oss:20b',
      keep_alive: '5m',
      options: { num_ctx: 8_192 },
      answer: { content: '', reasoning: 'The record will say.' },
      last: {
        role: 'user',
        content: [text('And this?'), { type: 'image_url', image_url: 'data:image/png;base64,iVBORw0KGgo=' }],
      },
    }),
  ],
  [
    'OpenAI before there were tools',
    'openai-chat',
    {
      model: 'gpt-4-0613',
      messages: [
        { role: 'user', content: 'How tall is the tower?' },
        { role: 'assistant', content: null, function_call: { name: 'look', arguments: '{}' } },
        { role: 'function', name: 'look', content: '91' },
        { role: 'assistant', content: '91 metres.' },
        { role: 'user', content: 'And the bridge?' },
      ],
      functions: [{ name: 'look', parameters: { type: 'object' } }],
      function_call: 'auto',
    },
  ],
  [
    'Responses with tools of its own, encrypted reasoning and a template',
    'openai-responses',
    {
      model: 'gpt-5.5',
      instructions: 'Answer from the record.',
      prompt: { id: 'pmpt_1', variables: { city: 'Lisbon' } },
      include: ['reasoning.encrypted_content'],
      store: false,
      input: [
        { role: 'user', content: 'How tall is the tower?' },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'ZW5jcnlwdGVk' },
        {
          type: 'web_search_call',
          id: 'ws_1',
          status: 'completed',
          action: { type: 'search', query: 'tower' },
        },
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          phase: 'final_answer',
          content: [{ type: 'output_text', text: '91 metres.', annotations: [] }],
        },
        { role: 'user', content: 'And the bridge?' },
      ],
      tools: [{ type: 'web_search' }, { type: 'file_search', vector_store_ids: ['vs_1'] }],
    },
  ],
  [
    'Anthropic with tools of the server, a document, a mark and a system message in the list',
    'anthropic',
    {
      model: 'claude-opus-5',
      max_tokens: 900,
      system: [{ ...text('Answer from the record.'), cache_control: { type: 'ephemeral', ttl: '1h' } }],
      messages: [
        {
          role: 'user',
          content: [
            {
              type: 'document',
              source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0xLjQK' },
              citations: { enabled: true },
            },
            text('How tall is the tower?'),
          ],
        },
        {
          role: 'assistant',
          content: [
            {
              type: 'server_tool_use',
              id: 'srv_1',
              name: 'web_fetch',
              input: { url: 'https://example.test' },
            },
            {
              type: 'web_fetch_tool_result',
              tool_use_id: 'srv_1',
              content: { type: 'web_fetch_result', url: 'https://example.test', content: {} },
            },
            text('91 metres.'),
          ],
        },
        { role: 'user', content: 'And the bridge?' },
        { role: 'system', content: 'Be short from now on.' },
      ],
      tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }],
      mcp_servers: [],
      context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] },
      container: 'container_1',
    },
  ],
  [
    'Gemini with a cached content and code that it runs',
    'gemini',
    {
      model: 'gemini-2.5-pro',
      cachedContent: 'cachedContents/towers',
      contents: [
        { role: 'user', parts: [{ text: 'How tall is the tower?' }] },
        {
          role: 'model',
          parts: [
            { executableCode: { language: 'PYTHON', code: 'print(91)' } },
            { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '91' } },
            { text: '91 metres.' },
          ],
        },
        { role: 'user', parts: [{ text: 'And the bridge?' }] },
      ],
      safetySettings: [],
      labels: { team: 'towers' },
    },
  ],
]

describe.each(requests)('%s', (_dialect, name, request) => {
  const format = detectFormat(request)

  it('is recognised, and breaks no rule', () => {
    expect(format?.format).toBe(name)
    expect(recogniseFormat(request)).toBe(name)
    expect(format?.lint(request)).toEqual([])
  })

  it('[R15] comes back byte for byte', () => {
    if (format === null) throw new Error('no format')
    const { read, items } = listRequest(format, request)
    const { messages, warnings } = format.compose(items, { model: read.model, changedFrom: null })
    const natives = messages.map(({ native }) => native)
    expect(JSON.stringify(format.write(request, read, natives))).toBe(JSON.stringify(request))
    expect(warnings).toEqual([])
  })

  it('keeps every field of its own when an older round goes', () => {
    if (format === null) throw new Error('no format')
    const list = listRequest(format, request)
    const first = roundsOf(list)[0]
    const gone = new Set(list.entries.filter(({ round }) => round === first).map(({ index }) => index))
    const { items, changedFrom } = withoutEntries(list, gone, 'Record kept by the app.')
    const { messages } = format.compose(items, { model: list.read.model, changedFrom })
    const natives = messages.map(({ native }) => native)
    const written = format.write(request, list.read, natives)
    expect(format.lint(written)).toEqual([])
    for (const [key, value] of Object.entries(request))
      if (!['messages', 'input', 'contents'].includes(key)) expect(written[key]).toBe(value)
    for (const { native, indexes } of list.items)
      if (!indexes.some((index) => gone.has(index))) expect(natives).toContain(native)
    expect(JSON.stringify(written)).not.toContain('The record will say.')
  })
})
