import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import type { Overflow, Rejection } from './dialect.ts'

export function openAiError(error: {
  readonly message: string
  readonly code: string | null
  readonly param: string | null
}): { readonly error: JsonObject } {
  return { error: { type: 'invalid_request_error', ...error } }
}

/** A request that is not answered, whatever its shape. */
export function openAiFailure(status: number, message: string): Rejection {
  const body = openAiError({ message, code: null, param: null })
  return status < 500
    ? { status, body }
    : { status, body: { error: { ...body.error, type: 'server_error' } } }
}

/** A request that has not the shape of one; the parameter is the one that OpenAI names. */
export function openAiRejection(
  message: string,
  param: string | null,
  { code = null, status = 400 }: { readonly code?: string | null; readonly status?: number } = {},
): Rejection {
  return { status, body: openAiError({ message, code, param }) }
}

export function missingParameter(name: string): Rejection {
  return openAiRejection(`Missing required parameter: '${name}'.`, name, {
    code: 'missing_required_parameter',
  })
}

export function invalidType(name: string, expected: string, actual: JsonValue): Rejection {
  const message = `Invalid type for '${name}': expected ${expected}, but got ${namedType(actual)} instead.`
  return openAiRejection(message, name, { code: 'invalid_type' })
}

export function emptyArray(name: string): Rejection {
  const message = `Invalid '${name}': empty array. Expected an array with minimum length 1, but got an empty array instead.`
  return openAiRejection(message, name, { code: 'empty_array' })
}

export function invalidRole(name: string, role: string, known: readonly string[]): Rejection {
  const [last = '', ...others] = known.map((each) => `'${each}'`).toReversed()
  const message = `Invalid value: '${role}'. Supported values are: ${others.toReversed().join(', ')}, and ${last}.`
  return openAiRejection(message, name, { code: 'invalid_value' })
}

/** The first thing about content that is neither text nor a list of objects. */
export function contentFault(content: JsonValue | undefined, name: string): Rejection | null {
  if (content === undefined || content === null || typeof content === 'string') return null
  if (!Array.isArray(content)) return invalidType(name, 'one of a string or array of objects', content)
  const position = content.findIndex((part) => !isObject(part))
  return position < 0 ? null : invalidType(`${name}[${position}]`, 'an object', content[position] ?? null)
}

function namedType(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  const type = typeof value
  return type === 'object' ? 'an object' : `a ${type}`
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
