import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { signatureFor } from './binding.ts'
import type { Answered, Dialect, ReceivedChat, ResponseMemory } from './dialect.ts'
import { contentText, inPieces, numberOf, objectsOf, parsedObject, sse, textOf } from './json-reading.ts'
import { openAiFailure, openAiOverflow } from './openai-errors.ts'
import { isReference, responsesFault } from './openai-responses-rules.ts'
import { fieldsOf, pieceOf } from './pieces.ts'
import type { ProviderMessage } from './turn.ts'

/** OpenAI Responses. */
export const openAiResponses: Dialect = {
  contentType: 'text/event-stream',
  read(path, body, memory) {
    if (!/\/responses$/.test(path)) return null
    const model = textOf(body.model)
    const { previous_response_id: previous } = body
    const history = typeof previous === 'string' ? memory.get(previous) : []
    const items = [
      ...(history ?? []),
      ...itemsOf(body.input).flatMap((item) =>
        isReference(item) ? (memory.get(textOf(item.id)) ?? [item]) : [item],
      ),
    ]
    const isSystem = ({ role }: JsonObject): boolean => role === 'system' || role === 'developer'
    const tools = objectsOf(body.tools)
    const system = [
      textOf(body.instructions),
      ...items.filter(isSystem).map(({ content }) => contentText(content)),
    ]
    return {
      body: isReadable(body.input) ? { ...body, input: items } : body,
      model,
      isStreamed: body.stream === true,
      output: numberOf(body.max_output_tokens),
      turn: {
        model,
        system: system.filter((text) => text !== '').join('\n'),
        tools: tools.map(({ name, parameters }) => ({
          name: textOf(name),
          schema: parameters as JsonObject,
        })),
        messages: items.filter((item) => !isSystem(item)).flatMap(messageOf),
      },
      ...(history === undefined ? { unknownHistory: textOf(previous) } : {}),
      pieces: [...tools, ...fieldsOf(body, 'text', 'instructions'), ...items].map(pieceOf),
    }
  },
  reject: responsesFault,
  sign: ({ body }) => signatureFor([body.instructions ?? '', body.tools ?? [], body.input ?? []]),
  overflow: (overflow) => openAiOverflow({ ...overflow, style: overflow.style ?? 'responses' }),
  error: openAiFailure,
  whole: (answered, memory) => {
    keep(answered, memory)
    return responseOf(answered, 'completed')
  },
  stream(answered, memory) {
    keep(answered, memory)
    const items = outputOf(answered)
    const events: JsonObject[] = [
      { type: 'response.created', response: responseOf(answered, 'in_progress') },
      { type: 'response.in_progress', response: responseOf(answered, 'in_progress') },
      ...items.flatMap((item, index) => eventsOf(item, index)),
      { type: 'response.completed', response: responseOf(answered, 'completed') },
    ]
    return events.map((event, number) => sse({ ...event, sequence_number: number }, textOf(event.type)))
  },
  errorChunk: ({ error }) => {
    const { code, message, param } = isObject(error) ? error : {}
    return sse({ type: 'error', sequence_number: 0, code, message, param }, 'error')
  },
}

/** What is left of a stream that names its response and then fails. */
export function failedResponse(chat: ReceivedChat, id: string, error: JsonValue): readonly string[] {
  const response = { ...envelope(id, chat), status: 'in_progress', output: [], usage: null, error: null }
  return [
    sse({ type: 'response.created', sequence_number: 0, response }, 'response.created'),
    sse({ type: 'response.in_progress', sequence_number: 1, response }, 'response.in_progress'),
    sse(
      {
        type: 'response.failed',
        sequence_number: 2,
        response: { ...response, status: 'failed', error },
      },
      'response.failed',
    ),
  ]
}

function itemsOf(input: JsonValue | undefined): readonly JsonObject[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : objectsOf(input)
}

function isReadable(input: JsonValue | undefined): boolean {
  return (
    (input ?? null) === null || typeof input === 'string' || (Array.isArray(input) && input.every(isObject))
  )
}

function messageOf(item: JsonObject): readonly ProviderMessage[] {
  const { type, role, content, name, output } = item
  const none = { text: '', calls: [], results: [] }
  if (type === 'function_call') {
    const call = { id: textOf(item.call_id), name: textOf(name), arguments: parsedObject(item.arguments) }
    return [{ ...none, role: 'assistant', calls: [call] }]
  }
  if (type === 'function_call_output') {
    const result = { callId: textOf(item.call_id), text: contentText(output), isError: false }
    return [{ ...none, role: 'user', results: [result] }]
  }
  if (type === 'reasoning') return []
  return [{ ...none, role: role === 'assistant' ? 'assistant' : 'user', text: contentText(content) }]
}

function outputOf({ answer }: Answered): readonly JsonObject[] {
  const { text, calls, reasoning, signature } = answer
  // What was reasoned about says so in its name, so that it is missed where the reasoning is not there.
  const id = reasoning === '' ? answer.id : `r${answer.id}`
  const thought: JsonObject[] =
    reasoning === ''
      ? []
      : [
          {
            type: 'reasoning',
            id: `rs_${id}`,
            summary: [],
            encrypted_content: signature,
            status: 'completed',
          },
        ]
  const said: JsonObject[] =
    text === ''
      ? []
      : [
          {
            type: 'message',
            id: `msg_${id}`,
            status: 'completed',
            role: 'assistant',
            content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
          },
        ]
  const called = calls.map(
    (call, place): JsonObject => ({
      type: 'function_call',
      id: `fc_${id}_${place}`,
      call_id: call.id,
      name: call.name,
      arguments: JSON.stringify(call.arguments),
      status: 'completed',
    }),
  )
  return [...thought, ...said, ...called]
}

function eventsOf(item: JsonObject, index: number): readonly JsonObject[] {
  const at = { output_index: index, item_id: item.id }
  const added = (shown: JsonObject): JsonObject => ({
    type: 'response.output_item.added',
    output_index: index,
    item: { ...item, ...shown, status: 'in_progress' },
  })
  const done: JsonObject = { type: 'response.output_item.done', output_index: index, item }
  if (item.type === 'function_call')
    return [
      added({ arguments: '' }),
      ...inPieces(textOf(item.arguments)).map((delta) => ({
        type: 'response.function_call_arguments.delta',
        ...at,
        delta,
      })),
      { type: 'response.function_call_arguments.done', ...at, arguments: item.arguments },
      done,
    ]
  if (item.type === 'reasoning') return [added({}), done]
  const [part = {}] = objectsOf(item.content)
  const inPart = { ...at, content_index: 0 }
  return [
    added({ content: [] }),
    { type: 'response.content_part.added', ...inPart, part: { ...part, text: '' } },
    ...inPieces(textOf(part.text)).map((delta) => ({
      type: 'response.output_text.delta',
      ...inPart,
      delta,
      logprobs: [],
    })),
    { type: 'response.output_text.done', ...inPart, text: part.text, logprobs: [] },
    { type: 'response.content_part.done', ...inPart, part },
    done,
  ]
}

function responseOf(answered: Answered, status: 'in_progress' | 'completed'): JsonObject {
  const { chat, answer, usage } = answered
  const isDone = status === 'completed'
  return {
    ...envelope(answer.id, chat),
    status,
    error: null,
    incomplete_details: null,
    output: isDone ? outputOf(answered) : [],
    usage: isDone
      ? {
          input_tokens: usage.input,
          input_tokens_details: { cached_tokens: usage.cacheRead },
          output_tokens: usage.output,
          output_tokens_details: { reasoning_tokens: usage.reasoning },
          total_tokens: usage.input + usage.output,
        }
      : null,
  }
}

function envelope(id: string, { model, body }: ReceivedChat): JsonObject {
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: 1_764_547_200,
    model,
    instructions: body.instructions ?? null,
    parallel_tool_calls: true,
    previous_response_id: body.previous_response_id ?? null,
    tools: body.tools ?? [],
    tool_choice: 'auto',
    metadata: {},
  }
}

function keep(answered: Answered, memory: ResponseMemory): void {
  const { body } = answered.chat
  if (body.store === false) return
  const output = outputOf(answered)
  memory.set(`resp_${answered.answer.id}`, [...objectsOf(body.input), ...output])
  for (const item of output) memory.set(textOf(item.id), [item])
}
