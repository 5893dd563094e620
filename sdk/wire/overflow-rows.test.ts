import { describe, expect, it } from 'vitest'
import type { OverflowFacts } from '../engine/overflow-facts.ts'
import { matchRow } from './overflow-row.ts'
import { overflowRows } from './overflow-rows.ts'

const context = 'context'
const both = 'context-and-output'
const bytes = 'request-bytes'

/** What each row is said in, and what it says; what is not told is left out. */
const examples: readonly (readonly [
  row: string,
  message: string,
  facts: Pick<OverflowFacts, 'kind' | 'limit' | 'got' | 'output'>,
])[] = [
  [
    'anthropic.prompt',
    'prompt is too long: 77001 tokens > 77000 maximum',
    { kind: context, limit: 77_000, got: 77_001 },
  ],
  ['anthropic.prompt-without-numbers', 'Prompt is too long', { kind: context }],
  [
    'anthropic.prompt-and-output',
    'input length and `max_tokens` exceed context limit: 61000 + 9000 > 64000, decrease input length',
    { kind: both, limit: 64_000, got: 61_000, output: 9_000 },
  ],
  ['anthropic.text-bytes', 'messages: too many total text bytes: 900 > 800', { kind: context }],
  ['anthropic.request-bytes', 'Request exceeds the maximum size', { kind: bytes }],
  ['anthropic.request-bytes', 'Request exceeds the maximum allowed number of bytes.', { kind: bytes }],
  [
    'gemini.input-tokens',
    'The input token count (52001) exceeds the maximum number of tokens allowed (52000).',
    { kind: context, limit: 52_000, got: 52_001 },
  ],
  [
    'gemini.input-tokens',
    'The input token count exceeds the maximum number of tokens allowed (52000).',
    { kind: context, limit: 52_000 },
  ],
  [
    'vertex.input-tokens',
    'Unable to submit request because the input token count is 52001 but model only supports up to 52000. Reduce it.',
    { kind: context, limit: 52_000, got: 52_001 },
  ],
  [
    'gemini.request-bytes',
    'Request payload size exceeds the limit: 1234567 bytes.',
    { kind: bytes, limit: 1_234_567 },
  ],
  ['gemini.request-bytes', 'Request payload size exceeds what is taken', { kind: bytes }],
  [
    'openai.requested',
    "This model's maximum context length is 9000 tokens. However, you requested 9300 tokens (8800 in the messages, 500 in the completion). Please reduce the length.",
    { kind: both, limit: 9_000, got: 8_800, output: 500 },
  ],
  [
    'openai.requested',
    "This model's maximum context length is 9000 tokens. However, you requested 9300 tokens (8100 in the messages, 700 in the functions, and 500 in the completion).",
    { kind: both, limit: 9_000, got: 8_800, output: 500 },
  ],
  [
    'openai.requested',
    "This model's maximum context length is 9000 tokens, however you requested 9300 tokens (8800 in your prompt; 500 for the completion).",
    { kind: both, limit: 9_000, got: 8_800, output: 500 },
  ],
  [
    'openai.requested',
    "This model's maximum context length is 9000 tokens. However, you requested 9300 tokens (9300 in the messages, 0 in the completion).",
    { kind: context, limit: 9_000, got: 9_300, output: 0 },
  ],
  [
    'openai.requested',
    "This model's maximum context length is 9000 tokens. However, you requested 9300 tokens.",
    { kind: context, limit: 9_000, got: 9_300 },
  ],
  [
    'openai.resulted',
    "This model's maximum context length is 9000 tokens. However, your messages resulted in 9300 tokens.",
    { kind: context, limit: 9_000, got: 9_300 },
  ],
  [
    'openai.configured-limit',
    'Input tokens exceed the configured limit of 61000 tokens. Your messages resulted in 61003 tokens.',
    { kind: context, limit: 61_000, got: 61_003 },
  ],
  [
    'openrouter.requested',
    "This endpoint's maximum context length is 9000 tokens. However, you requested about 9300 tokens (8700 of text input, 100 of tool input, 500 in the output).",
    { kind: both, limit: 9_000, got: 8_800, output: 500 },
  ],
  [
    'openrouter.requested',
    "This endpoint's maximum context length is 9000 tokens. However, you requested about 9300 tokens (9000 of text input, 200 of tool input, 100 of image input).",
    { kind: context, limit: 9_000, got: 9_300 },
  ],
  [
    'openrouter.requested',
    "This endpoint's maximum context length is 9000 tokens. However, you requested about 9300 tokens. Please reduce it.",
    { kind: context, limit: 9_000, got: 9_300 },
  ],
  [
    'openrouter.input-length',
    'Input length 9300 exceeds the maximum allowed input length of 9000 tokens.',
    { kind: context, limit: 9_000, got: 9_300 },
  ],
  [
    'cerebras.current-length',
    'Please reduce the length of the messages or completion. Current length is 9300 while limit is 9000',
    { kind: context, limit: 9_000, got: 9_300 },
  ],
  ['groq.reduce-length', 'Please reduce the length of the messages or completion.', { kind: context }],
  [
    'x-ai.prompt-length',
    "This model's maximum prompt length is 9000 but the request contains 9300 tokens.",
    { kind: context, limit: 9_000, got: 9_300 },
  ],
  [
    'x-ai.input-too-large',
    'Failed to start sampling: [input_too_large] Current message (9300 tokens) exceeds budget (9000 tokens)',
    { kind: context, limit: 9_000, got: 9_300 },
  ],
  [
    'mistral.prompt',
    'Prompt contains 9300 tokens and 0 draft tokens, too large for model with 9000 maximum context length',
    { kind: context, limit: 9_000, got: 9_300 },
  ],
  [
    'moonshot.token-limit',
    'Your request exceeded model token limit: 9000 (requested: 9300)',
    { kind: context, limit: 9_000, got: 9_300 },
  ],
  [
    'moonshot.token-limit',
    'Invalid request: Your request exceeded model token limit: 9000',
    { kind: context, limit: 9_000 },
  ],
  ['minimax.window', 'invalid params, context window exceeds limit (2013)', { kind: context }],
  [
    'copilot.prompt-tokens',
    'prompt token count of 9300 exceeds the limit of 9000',
    { kind: context, limit: 9_000, got: 9_300 },
  ],
  [
    'github-models.tokens',
    'Request body too large for some-model-70b model. Max size: 9000 tokens.',
    { kind: context, limit: 9_000 },
  ],
  [
    'fireworks.prompt',
    'The prompt is too long: 9300, model maximum context length: 9000',
    { kind: context, limit: 9_000, got: 9_300 },
  ],
  [
    'responses.context-window',
    'Your input exceeds the context window of this model. Please adjust your input.',
    { kind: context },
  ],
  [
    'llama.cpp.context-size',
    'request (9300 tokens) exceeds the available context size (9000 tokens), try increasing it',
    { kind: context, limit: 9_000, got: 9_300 },
  ],
  [
    'llama.cpp.context-size',
    'the request exceeds the available context size, try increasing it',
    { kind: context },
  ],
  [
    'llama-cpp-python.window',
    'Requested tokens (9300) exceed context window of 9000',
    { kind: context, limit: 9_000, got: 9_300 },
  ],
  [
    'lm-studio.kept-tokens',
    'The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 9300>= n_ctx: 9000). Try another.',
    { kind: context, limit: 9_000, got: 9_300 },
  ],
  [
    'lm-studio.kept-tokens',
    'The number of tokens to keep from the initial prompt is greater than the context length.',
    { kind: context },
  ],
  [
    'lm-studio.first-tokens',
    'Trying to keep the first 9300 tokens when context the overflows. However, the model is loaded with context length of only 9000 tokens, which is not enough.',
    { kind: context, limit: 9_000, got: 9_300 },
  ],
  ['lm-studio.context-size', 'Context size has been exceeded.', { kind: context }],
  [
    'ollama.context-length',
    'the prompt is longer than the context length currently available to the model; shorten it',
    { kind: context },
  ],
  ['ollama.exceeded-by', 'prompt too long; exceeded max context length by 300 tokens', { kind: context }],
  ['ollama.input-length', 'the input length exceeds the context length', { kind: context }],
  [
    'vllm.prompt-and-output',
    "This model's maximum context length is 9000 tokens. However, you requested 500 output tokens and your prompt contains 8800 input tokens, for a total of 9300 tokens.",
    { kind: both, limit: 9_000, got: 8_800, output: 500 },
  ],
  [
    'vllm.prompt-and-output',
    "This model's maximum context length is 9000 tokens. However, you requested 500 output tokens and your prompt contains at least 8501 input tokens, for a total of at least 9001 tokens.",
    { kind: both, limit: 9_000, output: 500 },
  ],
  [
    'vllm.prompt-and-output',
    "This model's maximum context length is 9000 tokens. However, you requested 9000 output tokens and your prompt contains 4100 characters (more than 0 characters).",
    { kind: both, limit: 9_000, output: 9_000 },
  ],
  [
    'vllm.input-tokens',
    "This model's maximum context length is 9000 tokens. However, your request has 9300 input tokens. Please reduce it.",
    { kind: context, limit: 9_000, got: 9_300 },
  ],
  [
    'vllm.input-tokens',
    "This model's maximum context length is 9000 tokens. However, your request has 8800 input tokens plus 500 'max_tokens'.",
    { kind: both, limit: 9_000, got: 8_800, output: 500 },
  ],
  [
    'vllm.max-tokens',
    "'max_tokens' or 'max_completion_tokens' is too large: 500. This model's maximum context length is 9000 tokens and your request has 8800 input tokens (500 > 9000 - 8800).",
    { kind: both, limit: 9_000, got: 8_800, output: 500 },
  ],
  [
    'vllm.decoder-prompt',
    'The decoder prompt (length 9300) is longer than the maximum model length of 9000. Make sure it is not.',
    { kind: context, limit: 9_000, got: 9_300 },
  ],
  [
    'sglang.input',
    "The input (9300 tokens) is longer than the model's context length (9000 tokens).",
    { kind: context, limit: 9_000, got: 9_300 },
  ],
  [
    'sglang.input-length',
    'Input length (9300 tokens) exceeds the maximum allowed length (9000 tokens).',
    { kind: context, limit: 9_000, got: 9_300 },
  ],
  [
    'sglang.requested',
    "Requested token count exceeds the model's maximum context length of 9000 tokens. You requested a total of 9300 tokens: 8800 tokens from the input messages and 500 tokens for the completion.",
    { kind: both, limit: 9_000, got: 8_800, output: 500 },
  ],
  [
    'sglang.requested',
    "Requested token count exceeds the model's maximum context length of 9000 tokens.",
    { kind: both, limit: 9_000 },
  ],
  [
    'tgi.inputs',
    'Input validation error: `inputs` must have less than 9000 tokens. Given: 9300',
    { kind: context, limit: 9_000, got: 9_300 },
  ],
  [
    'tgi.inputs-and-output',
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 9000. Given: 8800 `inputs` tokens and 500 `max_new_tokens`',
    { kind: both, limit: 9_000, got: 8_800, output: 500 },
  ],
  [
    'tgi.inputs-and-output',
    '`inputs` tokens + `max_new_tokens` must be <= 9000',
    { kind: both, limit: 9_000 },
  ],
  ['bedrock.input', 'Input is too long for requested model.', { kind: context }],
  [
    'bedrock.input-tokens',
    'Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update it.',
    { kind: context },
  ],
  [
    'cohere.prompt',
    'too many tokens: total number of tokens in the prompt cannot exceed 9000 - received 9300. Try less.',
    { kind: context, limit: 9_000, got: 9_300 },
  ],
  [
    'cohere.size-limit',
    'too many tokens: size limit exceeded by 300 tokens. Try using shorter or fewer inputs. The limit for this model is 9000 tokens.',
    { kind: context, limit: 9_000, got: 9_300 },
  ],
  ['dashscope.range', 'Range of input length should be [1, 9000]', { kind: context, limit: 9_000 }],
  [
    'dashscope.input-length',
    "Input length (9300) exceeds model's maximum context length (9000).",
    { kind: context, limit: 9_000, got: 9_300 },
  ],
  ['gateway.model-length', 'model max length exceeded, max length: 9000', { kind: context, limit: 9_000 }],
  [
    'gateway.body-bytes',
    'Maximum request body size 9000 exceeded, actual body size 9300',
    { kind: bytes, limit: 9_000, got: 9_300 },
  ],
  ['gateway.entity-too-large', '413 Request Entity Too Large', { kind: bytes }],
  [
    'gateway.entity-too-large',
    '<html>\n<head><title>413 Payload Too Large</title></head></html>',
    { kind: bytes },
  ],
]

describe('a known sentence', () => {
  it.each(examples)('[R321] %s is read from: %s', (name, message, facts) => {
    const matching = overflowRows.filter((row) => matchRow(row, message) !== null)
    expect(matching.map((row) => row.name)).toEqual([name])
    const { provider: _, ...said } = matching.map((row) => matchRow(row, message))[0] ?? {}
    expect(said).toEqual(facts)
  })

  it('has a name of its own and an example', () => {
    const names = overflowRows.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(new Set(examples.map(([name]) => name))).toEqual(new Set(names))
  })

  it.each(examples)('[R322] %s is none where other words stand ahead of it', (_name, message) => {
    for (const before of ['Invalid value: ', '"', 'The message "', '> '])
      expect(overflowRows.filter((row) => matchRow(row, before + message) !== null)).toEqual([])
  })

  it.each(overflowRows)('$name is read fast, however its words go on', ({ sentence }) => {
    const started = performance.now()
    for (const words of [sentence.source.replaceAll(/[^a-z ]/gi, ''), 'prompt is too long: ', '(((((', '1 '])
      sentence.test(words + '9'.repeat(100_000) + words.repeat(1_000))
    expect(performance.now() - started).toBeLessThan(200)
  })
})

describe('numbers in a sentence', () => {
  const row = {
    name: 'row',
    kind: context,
    sentence: /^(?<limit>\d+)(?: (?<total>\d+)(?: (?<output>\d+))?)?/,
  } as const

  it('are left out where nothing can be counted with them', () => {
    expect(matchRow(row, '9'.repeat(400))).toEqual({ kind: context })
    expect(matchRow(row, '10 4 5')).toEqual({ kind: both, limit: 10, output: 5 })
    expect(matchRow(row, '10 14 5')).toEqual({ kind: both, limit: 10, got: 9, output: 5 })
  })
})
