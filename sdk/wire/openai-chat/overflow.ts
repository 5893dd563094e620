import type { OverflowRow } from '../overflow-row.ts'

/** In the words of Chat Completions, and of the hosted services that speak its format. */
export const overflowRows: readonly OverflowRow[] = [
  {
    // Azure, DeepSeek, FastChat and older vLLM say it in the same words; completions say "prompt" for "messages".
    name: 'openai.requested',
    kind: 'context',
    sentence:
      /^this model's maximum context length is (?<limit>\d+) tokens[.,] however,? you requested (?<total>\d+) tokens(?: \((?<got>\d+) in (?:the messages|the prompt|your prompt)[,;](?: (?<more>\d+) in the functions,)? (?:and )?(?<output>\d+) (?:in|for) the completion\))?/i,
  },
  {
    name: 'openai.resulted',
    kind: 'context',
    sentence:
      /^this model's maximum context length is (?<limit>\d+) tokens\. however, your messages resulted in (?<got>\d+) tokens/i,
  },
  {
    name: 'openai.configured-limit',
    provider: 'openai',
    kind: 'context',
    sentence:
      /^input tokens exceed the configured limit of (?<limit>\d+) tokens\. your messages resulted in (?<got>\d+) tokens/i,
  },
  {
    name: 'openrouter.requested',
    provider: 'openrouter',
    kind: 'context',
    sentence:
      /^this endpoint's maximum context length is (?<limit>\d+) tokens\. however, you requested about (?<total>\d+) tokens(?: \((?<got>\d+) of text input(?:, (?<more>\d+) of tool input)?(?:, (?<most>\d+) of image input)?(?:, (?<output>\d+) in the output)?\))?/i,
  },
  {
    name: 'openrouter.input-length',
    kind: 'context',
    sentence: /^input length (?<got>\d+) exceeds the maximum allowed input length of (?<limit>\d+) tokens/i,
  },
  {
    name: 'cerebras.current-length',
    provider: 'cerebras',
    kind: 'context',
    sentence:
      /^please reduce the length of the messages or completion\. current length is (?<got>\d+) while limit is (?<limit>\d+)/i,
  },
  {
    name: 'groq.reduce-length',
    kind: 'context',
    sentence: /^please reduce the length of the messages or completion\.?$/i,
  },
  {
    name: 'x-ai.prompt-length',
    provider: 'x-ai',
    kind: 'context',
    sentence:
      /^this model's maximum prompt length is (?<limit>\d+) but the request contains (?<got>\d+) tokens/i,
  },
  {
    name: 'x-ai.input-too-large',
    provider: 'x-ai',
    kind: 'context',
    sentence:
      /^(?:failed to start sampling: )?\[input_too_large\] current message \((?<got>\d+) tokens\) exceeds budget \((?<limit>\d+) tokens\)/i,
  },
  {
    name: 'mistral.prompt',
    provider: 'mistral',
    kind: 'context',
    sentence:
      /^prompt contains (?<got>\d+) tokens(?: and \d+ draft tokens)?, too large for model with (?<limit>\d+) maximum context length/i,
  },
  {
    name: 'moonshot.token-limit',
    provider: 'moonshotai',
    kind: 'context',
    sentence:
      /^(?:invalid request: )?your request exceeded model token limit: (?<limit>\d+)(?: \(requested: (?<got>\d+)\))?/i,
  },
  {
    name: 'minimax.window',
    provider: 'minimax',
    kind: 'context',
    sentence: /^(?:invalid params, )?context window exceeds limit/i,
  },
  {
    name: 'copilot.prompt-tokens',
    provider: 'github-copilot',
    kind: 'context',
    sentence: /^prompt token count of (?<got>\d+) exceeds the limit of (?<limit>\d+)/i,
  },
  {
    // Said with the status of a body that is too large, and meant in tokens.
    name: 'github-models.tokens',
    provider: 'github-models',
    kind: 'context',
    sentence: /^request body too large for \S{1,100} model\. max size: (?<limit>\d+) tokens/i,
  },
  {
    name: 'fireworks.prompt',
    provider: 'fireworks',
    kind: 'context',
    sentence: /^the prompt is too long: (?<got>\d+), model maximum context length: (?<limit>\d+)/i,
  },
]
