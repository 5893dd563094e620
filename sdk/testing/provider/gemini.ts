import { isObject, type JsonObject } from '../../engine/json.ts'
import { signatureFor } from './binding.ts'
import type { Answered, Dialect } from './dialect.ts'
import { geminiError, geminiFault } from './gemini-rules.ts'
import { inPieces, numberOf, objectsOf, sse, textOf } from './json-reading.ts'
import { fieldsOf, pieceOf } from './pieces.ts'
import type { ProviderMessage } from './turn.ts'

/** Gemini's generateContent and streamGenerateContent. */
export const gemini: Dialect = {
  contentType: 'text/event-stream',
  read(path, body) {
    const found = /\/([^/:]+):(g|streamG)enerateContent$/.exec(path)
    if (!found) return null
    const [, model = '', verb] = found
    const { systemInstruction, generationConfig } = body
    const contents = objectsOf(body.contents)
    const tools = objectsOf(body.tools).flatMap((tool) => objectsOf(tool.functionDeclarations))
    const system = isObject(systemInstruction) ? partsText(systemInstruction) : textOf(systemInstruction)
    return {
      body,
      model,
      isStreamed: verb === 'streamG',
      output: isObject(generationConfig) ? numberOf(generationConfig.maxOutputTokens) : 0,
      turn: {
        model,
        system,
        tools: tools.map(({ name, parameters, parametersJsonSchema: schema }) => ({
          name: textOf(name),
          schema: (schema ?? parameters) as JsonObject,
        })),
        messages: contents.map(messageOf),
      },
      pieces: [
        ...tools,
        ...fieldsOf(
          isObject(generationConfig) ? generationConfig : {},
          'responseSchema',
          'responseJsonSchema',
        ),
        ...fieldsOf(body, 'systemInstruction'),
        ...contents.flatMap(({ parts }) => objectsOf(parts)),
      ].map(pieceOf),
    }
  },
  reject: geminiFault,
  sign: ({ body }) => signatureFor(body.contents ?? []),
  overflow: ({ style, limit, got }) =>
    geminiError(
      400,
      style === 'without-numbers'
        ? `The input token count exceeds the maximum number of tokens allowed (${limit}).`
        : `The input token count (${got}) exceeds the maximum number of tokens allowed (${limit}).`,
    ),
  error: geminiError,
  whole: (answered) => chunkOf(answered, partsOf(answered), true),
  stream(answered) {
    const chunks = partsOf(answered).flatMap((part) =>
      typeof part.text === 'string' ? inPieces(part.text).map((text) => [{ ...part, text }]) : [[part]],
    )
    // The last chunk has something of its own to say, and be it nothing.
    return [
      ...chunks.map((parts) => sse(chunkOf(answered, parts, false))),
      sse(chunkOf(answered, [{ text: '' }], true)),
    ]
  },
  errorChunk: (body) => sse(body),
}

function messageOf({ role, parts }: JsonObject): ProviderMessage {
  const all = objectsOf(parts)
  return {
    role: role === 'model' ? 'assistant' : 'user',
    text: partsText({ parts }),
    calls: all.flatMap(({ functionCall: call }) =>
      isObject(call)
        ? [
            {
              id: textOf(call.id),
              name: textOf(call.name),
              arguments: isObject(call.args) ? call.args : {},
            },
          ]
        : [],
    ),
    results: all.flatMap(({ functionResponse: result }) => {
      if (!isObject(result)) return []
      const { output } = isObject(result.response) ? result.response : {}
      const text = typeof output === 'string' ? output : JSON.stringify(result.response)
      return [{ callId: textOf(result.id), text, isError: false }]
    }),
  }
}

function partsText({ parts }: JsonObject): string {
  return objectsOf(parts)
    .filter(({ thought }) => thought !== true)
    .map(({ text }) => textOf(text))
    .join('')
}

function partsOf({ answer }: Answered): readonly JsonObject[] {
  const { text, reasoning, signature, calls } = answer
  return [
    ...(reasoning === '' ? [] : [{ text: reasoning, thought: true }]),
    ...(text === '' ? [] : [{ text }]),
    // Of parallel calls the first one carries the signature.
    ...calls.map(({ name, arguments: args }, place) => ({
      functionCall: { name, args },
      ...(place === 0 ? { thoughtSignature: signature } : {}),
    })),
  ]
}

function chunkOf(
  { chat, answer, usage }: Answered,
  parts: readonly JsonObject[],
  isLast: boolean,
): JsonObject {
  return {
    candidates: [
      { index: 0, content: { role: 'model', parts }, ...(isLast ? { finishReason: 'STOP' } : {}) },
    ],
    usageMetadata: {
      promptTokenCount: usage.input,
      cachedContentTokenCount: usage.cacheRead,
      ...(isLast
        ? { candidatesTokenCount: usage.output - usage.reasoning, thoughtsTokenCount: usage.reasoning }
        : {}),
      totalTokenCount: usage.input + (isLast ? usage.output : 0),
    },
    modelVersion: chat.model,
    responseId: answer.id,
  }
}
