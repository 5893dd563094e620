import type { JsonObject } from '../../engine/json.ts'
import type { Provider } from './provider.ts'

/** The formats that a provider speaks, and where; the model of Gemini's stands in its address. */
const paths = {
  'openai-chat': () => '/v1/chat/completions',
  'openai-responses': () => '/v1/responses',
  anthropic: () => '/v1/messages',
  gemini: (model: string, isStreamed: boolean) =>
    `/v1beta/models/${model}:${isStreamed ? 'streamGenerateContent' : 'generateContent'}`,
} as const

export type Spoken = keyof typeof paths

export const spoken = Object.keys(paths) as readonly Spoken[]

/** Sends a request as it would go over the wire, to the address of its format. */
export function ask(provider: Provider, format: Spoken, body: JsonObject): Promise<Response> {
  const path = paths[format](typeof body.model === 'string' ? body.model : 'm', body.stream === true)
  const { stream: _, ...rest } = body
  return provider.fetch(
    new Request(`https://provider.test${path}`, {
      method: 'POST',
      body: JSON.stringify(format === 'gemini' ? rest : body),
    }),
  )
}
