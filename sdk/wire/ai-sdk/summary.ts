import type { SummaryQuestion } from '../../engine/format.ts'
import { isObject, type JsonObject } from '../../engine/json.ts'
import { givenSetting, joinedText, withoutKeys } from '../summary-request.ts'

/** What belongs to the conversation, or asks for another kind of answer than one text. */
const ownKeys: ReadonlySet<string> = new Set([
  'prompt',
  'tools',
  'toolChoice',
  'responseFormat',
  'stopSequences',
  'includeRawChunks',
  'abortSignal',
])

/** Options of a provider that continue what it holds, or keep what it is sent. */
const heldKeys: ReadonlySet<string> = new Set([
  'previousResponseId',
  'conversation',
  'previousInteractionId',
  'cachedContent',
  'thread',
])

/** Call options that ask for a summary. The model is an object that the app calls, so a name of another is not in them. */
export function summaryRequest(
  request: JsonObject,
  { instructions, history, reasoning }: SummaryQuestion,
): JsonObject {
  const { providerOptions } = request
  return {
    ...withoutKeys(request, ownKeys),
    prompt: [
      { role: 'system', content: instructions },
      { role: 'user', content: [{ type: 'text', text: history }] },
    ],
    ...(isObject(providerOptions) ? { providerOptions: ownOptions(providerOptions) } : {}),
    ...givenSetting('reasoning', reasoning),
  }
}

function ownOptions(options: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(options).map(([provider, given]) => {
      if (!isObject(given)) return [provider, given]
      const rest = withoutKeys(given, heldKeys)
      return [provider, rest.store === undefined ? rest : { ...rest, store: false }]
    }),
  )
}

/** The text of a result of `doGenerate`. */
export function readAnswer(response: unknown): string | null {
  return joinedText(isObject(response) ? response.content : undefined, ({ type }) => type === 'text')
}
