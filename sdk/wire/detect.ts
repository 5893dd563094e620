import type { WireFormat } from '../engine/format.ts'
import { isObject } from '../engine/json.ts'
import { aiSdk } from './ai-sdk/index.ts'
import { anthropic } from './anthropic/index.ts'
import { gemini } from './gemini/index.ts'
import { openAiChat } from './openai-chat/index.ts'
import { openAiResponses } from './openai-responses/index.ts'

/** Formats by how particular their shape is: one that others could be taken for stands last. */
export const formats: readonly WireFormat[] = [anthropic, openAiChat, gemini, openAiResponses, aiSdk]

/** The format whose shape a request has, or null where no format knows it. */
export function detectFormat(request: unknown): WireFormat | null {
  if (!isObject(request)) return null
  return formats.find((format) => format.recognises(request)) ?? null
}
