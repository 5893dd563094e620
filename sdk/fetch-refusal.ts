import type { JsonObject } from './engine/json.ts'
import type { DogearError } from './errors.ts'
import type { HttpFormat } from './fetch-endpoint.ts'
import { refusalStatuses } from './refusal-codes.ts'

/**
 * What the app gets in place of an answer: a rejection such as its provider would send, which no client sends again
 * (rules.md 6, "Refusal").
 */
export function refusedResponse(format: HttpFormat, error: DogearError): Response {
  const [status, statusText] = refusalStatuses.get(error.code) ?? [400, 'Bad Request']
  return new Response(JSON.stringify(bodies[format](error, status)), {
    status,
    statusText,
    headers: { 'content-type': 'application/json', 'x-should-retry': 'false', 'x-dogear': 'refused' },
  })
}

const bodies: Readonly<Record<HttpFormat, (error: DogearError, status: number) => JsonObject>> = {
  'openai-chat': (error) => openAiError(error, 'messages'),
  'openai-responses': (error) => openAiError(error, 'input'),
  anthropic: ({ code, message }) => ({
    type: 'error',
    // Anthropic's own codes stand in the details.
    error: { type: 'invalid_request_error', message, code, details: { error_code: code } },
  }),
  gemini: ({ code, message }, status) => ({
    error: {
      code: status,
      message,
      status: 'INVALID_ARGUMENT',
      details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: code, domain: 'dogear' }],
    },
  }),
}

function openAiError({ code, message }: DogearError, param: string): JsonObject {
  return { error: { message, type: 'invalid_request_error', param, code } }
}
