import { isObject, type JsonObject } from '../../engine/json.ts'
import { blocksOf, invalid } from './anthropic-blocks.ts'
import { anthropicFault } from './anthropic-rules.ts'
import { bindingOf } from './anthropic-thinking.ts'
import type { Answered, Dialect, Piece } from './dialect.ts'
import { contentText, inPieces, numberOf, objectsOf, sse, textOf } from './json-reading.ts'
import { fieldsOf, pieceOf } from './pieces.ts'
import type { ProviderMessage } from './turn.ts'

const errorTypes: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

/** Anthropic Messages. */
export const anthropic: Dialect = {
  contentType: 'text/event-stream',
  read(path, body) {
    if (!/\/messages$/.test(path)) return null
    const model = textOf(body.model)
    const tools = objectsOf(body.tools)
    const messages = objectsOf(body.messages)
    return {
      body,
      model,
      isStreamed: body.stream === true,
      output: numberOf(body.max_tokens),
      turn: {
        model,
        system: contentText(body.system),
        tools: tools.map(({ name, input_schema: schema }) => ({
          name: textOf(name),
          schema: schema as JsonObject,
        })),
        messages: messages.map(messageOf),
      },
      pieces: markedPieces(body, [
        ...tools,
        ...fieldsOf(body, 'output_config'),
        ...blocksOf(body.system),
        ...messages.flatMap(({ content }) => blocksOf(content)),
      ]),
    }
  },
  reject: anthropicFault,
  sign: ({ body }, reasoning) => bindingOf(body, objectsOf(body.messages), reasoning),
  overflow: ({ style, limit, got, output }) =>
    invalid(
      style === 'anthropic-with-output'
        ? `input length and \`max_tokens\` exceed context limit: ${got} + ${output} > ${limit}, decrease input length or \`max_tokens\` and try again`
        : `prompt is too long: ${got} tokens > ${limit} maximum`,
    ),
  error: (status, message) => ({
    status,
    body: { type: 'error', error: { type: errorTypes[status] ?? 'api_error', message } },
  }),
  whole: ({ chat, answer, usage }) => ({
    ...message(answer.id, chat.model),
    content: blocksOfAnswer(answer),
    stop_reason: stopOf(answer),
    usage: usageOf(usage),
  }),
  stream({ chat, answer, usage }) {
    const events: JsonObject[] = [
      {
        type: 'message_start',
        message: {
          ...message(answer.id, chat.model),
          content: [],
          stop_reason: null,
          usage: usageOf({ ...usage, output: Math.min(1, usage.output), reasoning: 0 }),
        },
      },
      { type: 'ping' },
      ...blocksOfAnswer(answer).flatMap((block, index) => [
        { type: 'content_block_start', index, content_block: emptied(block) },
        ...deltasOf(block).map((delta): JsonObject => ({ type: 'content_block_delta', index, delta })),
        { type: 'content_block_stop', index },
      ]),
      {
        type: 'message_delta',
        delta: { stop_reason: stopOf(answer), stop_sequence: null },
        usage: usageOf(usage),
      },
      { type: 'message_stop' },
    ]
    return events.map((event) => sse(event, textOf(event.type)))
  },
  errorChunk: (body) => sse(body, 'error'),
}

/** A mark of the request itself stands at its end. */
function markedPieces(body: JsonObject, parts: readonly JsonObject[]): readonly Piece[] {
  return parts.map(({ cache_control: mark, ...said }, place) => {
    const isMarked = isObject(mark) || (isObject(body.cache_control) && place === parts.length - 1)
    return { ...pieceOf(said), ...(isMarked ? { isMarked } : {}) }
  })
}

function messageOf({ role, content }: JsonObject): ProviderMessage {
  const blocks = blocksOf(content)
  return {
    role: role === 'assistant' ? 'assistant' : 'user',
    text: contentText(blocks.filter(({ type }) => type === 'text')),
    calls: blocks
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, name, input }) => ({
        id: textOf(id),
        name: textOf(name),
        arguments: isObject(input) ? input : {},
      })),
    results: blocks
      .filter(({ type }) => type === 'tool_result')
      .map(({ tool_use_id: id, content: body, is_error: isError }) => ({
        callId: textOf(id),
        text: contentText(body),
        isError: isError === true,
      })),
  }
}

function blocksOfAnswer({ reasoning, signature, text, calls }: Answered['answer']): readonly JsonObject[] {
  return [
    ...(reasoning === '' ? [] : [{ type: 'thinking', thinking: reasoning, signature }]),
    ...(text === '' ? [] : [{ type: 'text', text, citations: null }]),
    ...calls.map(({ id, name, arguments: input }) => ({ type: 'tool_use', id, name, input })),
  ]
}

function emptied(block: JsonObject): JsonObject {
  if (block.type === 'text') return { ...block, text: '' }
  if (block.type === 'thinking') return { ...block, thinking: '', signature: '' }
  return { ...block, input: {} }
}

function deltasOf({ type, text, thinking, signature, input }: JsonObject): readonly JsonObject[] {
  if (type === 'text') return inPieces(textOf(text)).map((piece) => ({ type: 'text_delta', text: piece }))
  if (type === 'thinking')
    return [
      ...inPieces(textOf(thinking)).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
      { type: 'signature_delta', signature: textOf(signature) },
    ]
  return inPieces(JSON.stringify(input)).map((piece) => ({ type: 'input_json_delta', partial_json: piece }))
}

function message(id: string, model: string): JsonObject {
  return { id: `msg_${id}`, type: 'message', role: 'assistant', model, stop_sequence: null }
}

function stopOf({ calls }: Answered['answer']): string {
  return calls.length > 0 ? 'tool_use' : 'end_turn'
}

function usageOf({ input, output, reasoning, cacheRead, cacheWrite }: Answered['usage']): JsonObject {
  return {
    input_tokens: input - cacheRead - cacheWrite,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: output,
    output_tokens_details: { thinking_tokens: reasoning },
  }
}
