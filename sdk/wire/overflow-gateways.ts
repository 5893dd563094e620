import type { OverflowRow } from './overflow-row.ts'

/** In the words of clouds and APIs of other formats, which reach an app through a gateway, and of gateways. */
export const gatewayOverflowRows: readonly OverflowRow[] = [
  {
    name: 'bedrock.input',
    provider: 'aws',
    kind: 'context',
    sentence: /^input is too long for requested model/i,
  },
  {
    name: 'bedrock.input-tokens',
    provider: 'aws',
    kind: 'context',
    sentence: /^input tokens exceeded: number of input tokens exceeds maximum length/i,
  },
  {
    name: 'cohere.prompt',
    provider: 'cohere',
    kind: 'context',
    sentence:
      /^too many tokens: total number of tokens in the prompt cannot exceed (?<limit>\d+) - received (?<got>\d+)/i,
  },
  {
    name: 'cohere.size-limit',
    provider: 'cohere',
    kind: 'context',
    sentence:
      /^too many tokens: size limit exceeded by (?<over>\d+) tokens\.(?: try using shorter or fewer inputs\.)? the limit for this model is (?<limit>\d+) tokens/i,
  },
  {
    name: 'dashscope.range',
    provider: 'alibaba',
    kind: 'context',
    sentence: /^range of input length should be \[\d+, ?(?<limit>\d+)\]/i,
  },
  {
    name: 'dashscope.input-length',
    provider: 'alibaba',
    kind: 'context',
    sentence: /^input length \((?<got>\d+)\) exceeds model's maximum context length \((?<limit>\d+)\)/i,
  },
  {
    name: 'gateway.model-length',
    kind: 'context',
    sentence: /^model max length exceeded, max length: (?<limit>\d+)/i,
  },
  {
    name: 'gateway.body-bytes',
    kind: 'request-bytes',
    sentence: /^maximum request body size (?<limit>\d+) exceeded, actual body size (?<got>\d+)/i,
  },
  {
    name: 'gateway.entity-too-large',
    kind: 'request-bytes',
    sentence: /^(?:<html>\s{0,4}<head>\s{0,4}<title>)?(?:413 )?(?:request entity|payload|content) too large/i,
  },
]
