import type { JsonObject } from '../../engine/json.ts'
import type { Overflow, Rejection } from './dialect.ts'

export function openAiError(error: {
  readonly message: string
  readonly code: string | null
  readonly param: string | null
}): JsonObject {
  return { error: { type: 'invalid_request_error', ...error } }
}

/** A request that is too long, in the words of the servers that speak OpenAI's formats. */
export function openAiOverflow({ style = 'openai', limit, got, output }: Overflow): Rejection {
  const rejected = (message: string, code: string | null = 'context_length_exceeded'): Rejection => ({
    status: 400,
    body: openAiError({ message, code, param: style.startsWith('responses') ? 'input' : 'messages' }),
  })
  switch (style) {
    case 'openai-classic':
      return rejected(
        `This model's maximum context length is ${limit} tokens. However, you requested ${got + output} tokens (${got} in the messages, ${output} in the completion). Please reduce the length of the messages or completion.`,
      )
    case 'llama.cpp':
      return {
        status: 400,
        body: {
          error: {
            code: 400,
            type: 'exceed_context_size_error',
            message: `request (${got} tokens) exceeds the available context size (${limit} tokens), try increasing it`,
            n_prompt_tokens: got,
            n_ctx: limit,
          },
        },
      }
    case 'openrouter-in-stream':
      return {
        status: 400,
        body: {
          error: {
            code: 400,
            message: `This endpoint's maximum context length is ${limit} tokens. However, you requested about ${got} tokens (${got} of text input). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.`,
            metadata: { error_type: 'context_length_exceeded' },
          },
        },
      }
    case 'responses':
    case 'responses-in-stream':
    case 'without-numbers':
      return rejected(
        'Your input exceeds the context window of this model. Please adjust your input and try again.',
      )
    default:
      return rejected(
        `Input tokens exceed the configured limit of ${limit} tokens. Your messages resulted in ${got} tokens. Please reduce the length of the messages.`,
      )
  }
}
