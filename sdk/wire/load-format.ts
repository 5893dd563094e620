import type { Format, WireFormat } from '../engine/format.ts'
import { isObject } from '../engine/json.ts'
import { DogearError } from '../errors.ts'
import { isAiSdkBody } from './ai-sdk-body.ts'
import { chatDialect } from './chat-dialect.ts'
import { isGeminiBody } from './gemini-body.ts'
import { isResponsesBody } from './responses-body.ts'

/** Each format is a chunk of its own, so that a page pays for what it speaks. */
const chunks = {
  anthropic: () => import('./anthropic/index.ts').then(({ anthropic }) => anthropic),
  'openai-chat': () => import('./openai-chat/index.ts').then(({ openAiChat }) => openAiChat),
  'openai-responses': () =>
    import('./openai-responses/index.ts').then(({ openAiResponses }) => openAiResponses),
  'ai-sdk': () => import('./ai-sdk/index.ts').then(({ aiSdk }) => aiSdk),
  gemini: () => import('./gemini/index.ts').then(({ gemini }) => gemini),
} as const satisfies Partial<Record<Format, () => Promise<WireFormat>>>

type KnownFormat = keyof typeof chunks

export const formatNames = Object.keys(chunks) as readonly KnownFormat[]

/** The format whose shape a request has, told without loading any; null where none has it. */
export function recogniseFormat(request: unknown): Format | null {
  if (!isObject(request)) return null
  if (isGeminiBody(request)) return 'gemini'
  if (isAiSdkBody(request)) return 'ai-sdk'
  return chatDialect(request) ?? (isResponsesBody(request) ? 'openai-responses' : null)
}

/** Rejects with `format_unavailable` where the chunk cannot be loaded; the next call tries again. */
export async function loadFormat(format: Format): Promise<WireFormat | null> {
  if (!isKnown(format)) return null
  try {
    return await chunks[format]()
  } catch (cause) {
    throw new DogearError({
      code: 'format_unavailable',
      message: `the chunk of the format "${format}" could not be loaded; check that the build serves it, and try again`,
      fields: { format },
      cause,
    })
  }
}

function isKnown(format: Format): format is KnownFormat {
  return Object.hasOwn(chunks, format)
}
