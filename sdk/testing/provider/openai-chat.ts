import { isObject, type JsonObject } from '../../engine/json.ts'
import type { Answered, Dialect, ReceivedChat } from './dialect.ts'
import { contentText, inPieces, numberOf, objectsOf, parsedObject, sse, textOf } from './json-reading.ts'
import { chatFault } from './openai-chat-rules.ts'
import { openAiFailure, openAiOverflow } from './openai-errors.ts'
import { fieldsOf, pieceOf } from './pieces.ts'
import type { ProviderMessage } from './turn.ts'

/** OpenAI Chat Completions, and Azure's addresses of it. */
export const openAiChat: Dialect = {
  contentType: 'text/event-stream',
  read(path, body) {
    const found = /(?:\/deployments\/([^/]+))?\/chat\/completions$/.exec(path)
    if (!found) return null
    const messages = objectsOf(body.messages)
    const isSystem = ({ role }: JsonObject): boolean => role === 'system' || role === 'developer'
    const tools = objectsOf(body.tools)
    return {
      body,
      model: textOf(body.model) || (found[1] ?? ''),
      isStreamed: body.stream === true,
      output: numberOf(body.max_completion_tokens) || numberOf(body.max_tokens),
      turn: {
        model: textOf(body.model) || (found[1] ?? ''),
        system: messages
          .filter(isSystem)
          .map(({ content }) => contentText(content))
          .join('\n'),
        tools: tools.map((tool) => {
          const { name, parameters } = declarationOf(tool)
          return { name: textOf(name), schema: isObject(parameters) ? parameters : {} }
        }),
        messages: messages.filter((message) => !isSystem(message)).map(messageOf),
      },
      pieces: [...tools, ...fieldsOf(body, 'functions', 'response_format'), ...messages].map(pieceOf),
    }
  },
  reject: chatFault,
  sign: () => '',
  overflow: openAiOverflow,
  error: openAiFailure,
  whole({ chat, answer, usage }) {
    return {
      ...envelope(answer.id, chat, 'chat.completion'),
      choices: [{ index: 0, message: answerMessage(answer), logprobs: null, finish_reason: endOf(answer) }],
      usage: usageOf(usage),
    }
  },
  stream({ chat, answer, usage }) {
    const { id, text, calls } = answer
    const chunk = (delta: JsonObject, finish: string | null = null): string =>
      sse({
        ...envelope(id, chat, 'chat.completion.chunk'),
        choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
      })
    const options = chat.body.stream_options
    const wantsUsage = typeof options === 'object' && (options as JsonObject).include_usage === true
    return [
      chunk({ role: 'assistant', content: '' }),
      ...inPieces(text).map((piece) => chunk({ content: piece })),
      ...calls.flatMap((call, index) => [
        chunk({
          tool_calls: [
            { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } },
          ],
        }),
        ...inPieces(JSON.stringify(call.arguments)).map((piece) =>
          chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
        ),
      ]),
      chunk({}, endOf(answer)),
      ...(wantsUsage
        ? [sse({ ...envelope(id, chat, 'chat.completion.chunk'), choices: [], usage: usageOf(usage) })]
        : []),
      'data: [DONE]\n\n',
    ]
  },
  errorChunk: (body) => sse(body),
}

function messageOf({ role, content, tool_calls: calls, tool_call_id: callId }: JsonObject): ProviderMessage {
  if (role === 'tool')
    return {
      role: 'user',
      text: '',
      calls: [],
      results: [{ callId: textOf(callId), text: contentText(content), isError: false }],
    }
  return {
    role: role === 'assistant' ? 'assistant' : 'user',
    text: contentText(content),
    results: [],
    calls: objectsOf(calls).map((call) => {
      const { name, arguments: args } = declarationOf(call)
      return { id: textOf(call.id), name: textOf(name), arguments: parsedObject(args) }
    }),
  }
}

/** What a tool, or a call of one, says under the name of its type. */
function declarationOf({ function: called, custom }: JsonObject): JsonObject {
  return [called, custom].find(isObject) ?? {}
}

function answerMessage({ text, calls }: Answered['answer']): JsonObject {
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map(({ id, name, arguments: args }) => ({
            id,
            type: 'function',
            function: { name, arguments: JSON.stringify(args) },
          })),
        }),
  }
}

function endOf({ calls }: Answered['answer']): string {
  return calls.length > 0 ? 'tool_calls' : 'stop'
}

function envelope(id: string, { model }: ReceivedChat, object: string): JsonObject {
  return { id: `chatcmpl-${id}`, object, created: 1_764_547_200, model, system_fingerprint: null }
}

function usageOf({ input, output, reasoning, cacheRead }: Answered['usage']): JsonObject {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}
