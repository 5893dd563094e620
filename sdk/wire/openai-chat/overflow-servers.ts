import type { OverflowRow } from '../overflow-row.ts'

/** In the words of the servers that people run themselves, and of those who rent them out. */
export const serverOverflowRows: readonly OverflowRow[] = [
  {
    name: 'llama.cpp.context-size',
    provider: 'llama.cpp',
    kind: 'context',
    sentence:
      /^(?:the )?request (?:\((?<got>\d+) tokens\) )?exceeds the available context size(?: \((?<limit>\d+) tokens\))?/i,
  },
  {
    name: 'llama-cpp-python.window',
    provider: 'llama.cpp',
    kind: 'context',
    sentence: /^requested tokens \((?<got>\d+)\) exceed context window of (?<limit>\d+)/i,
  },
  {
    name: 'lm-studio.kept-tokens',
    provider: 'lmstudio',
    kind: 'context',
    sentence:
      /^the number of tokens to keep from the initial prompt is greater than the context length(?: \(n_keep: (?<got>\d+) ?>= ?n_ctx: (?<limit>\d+)\))?/i,
  },
  {
    name: 'lm-studio.first-tokens',
    provider: 'lmstudio',
    kind: 'context',
    sentence:
      /^trying to keep the first (?<got>\d+) tokens when context the overflows\. however, the model is loaded with context length of only (?<limit>\d+) tokens/i,
  },
  {
    name: 'lm-studio.context-size',
    provider: 'lmstudio',
    kind: 'context',
    sentence: /^context size has been exceeded/i,
  },
  {
    name: 'ollama.context-length',
    provider: 'ollama',
    kind: 'context',
    sentence: /^the prompt is longer than the context length currently available to the model/i,
  },
  {
    // By how much, and not of how much.
    name: 'ollama.exceeded-by',
    provider: 'ollama',
    kind: 'context',
    sentence: /^prompt too long; exceeded (?:max )?context length/i,
  },
  {
    name: 'ollama.input-length',
    provider: 'ollama',
    kind: 'context',
    sentence: /^the input length exceeds the context length/i,
  },
  {
    // "At least": it stopped counting one token past the limit, which is not what the request came to.
    name: 'vllm.prompt-and-output',
    provider: 'vllm',
    kind: 'context-and-output',
    sentence:
      /^this model's maximum context length is (?<limit>\d+) tokens\. however, you requested (?<output>\d+) output tokens and your prompt contains (?:at least \d+ input tokens|(?<got>\d+) input tokens|\d+ characters)/i,
  },
  {
    name: 'vllm.input-tokens',
    provider: 'vllm',
    kind: 'context',
    sentence:
      /^this model's maximum context length is (?<limit>\d+) tokens\. however, your request has (?<got>\d+) input tokens(?: plus (?<output>\d+) 'max_tokens')?/i,
  },
  {
    name: 'vllm.max-tokens',
    provider: 'vllm',
    kind: 'context-and-output',
    sentence:
      /^'max_tokens' or 'max_completion_tokens' is too large: (?<output>\d+)\. this model's maximum context length is (?<limit>\d+) tokens and your request has (?<got>\d+) input tokens/i,
  },
  {
    name: 'vllm.decoder-prompt',
    provider: 'vllm',
    kind: 'context',
    sentence:
      /^the (?:decoder|encoder) prompt \(length (?<got>\d+)\) is longer than the maximum model length of (?<limit>\d+)/i,
  },
  {
    // Together's in the same words.
    name: 'sglang.input',
    kind: 'context',
    sentence:
      /^the input \((?<got>\d+) tokens\) is longer than the model's context length \((?<limit>\d+) tokens\)/i,
  },
  {
    name: 'sglang.input-length',
    kind: 'context',
    sentence:
      /^input length \((?<got>\d+) tokens\) exceeds the maximum allowed length \((?<limit>\d+) tokens\)/i,
  },
  {
    name: 'sglang.requested',
    kind: 'context-and-output',
    sentence:
      /^requested token count exceeds the model's maximum context length of (?<limit>\d+) tokens(?:\. you requested a total of \d+ tokens: (?<got>\d+) tokens from the input messages and (?<output>\d+) tokens for the completion)?/i,
  },
  {
    name: 'tgi.inputs',
    provider: 'tgi',
    kind: 'context',
    sentence:
      /^(?:input validation error: )?`inputs` must have less than (?<limit>\d+) tokens\. given: (?<got>\d+)/i,
  },
  {
    name: 'tgi.inputs-and-output',
    kind: 'context-and-output',
    sentence:
      /^(?:input validation error: )?`inputs` tokens \+ `max_new_tokens` must be <= (?<limit>\d+)(?:\. given: (?<got>\d+) `inputs` tokens and (?<output>\d+) `max_new_tokens`)?/i,
  },
]
