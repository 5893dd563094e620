import { type ChatTransport, convertToModelMessages, DefaultChatTransport, type UIMessage } from 'ai'
import type { Branch } from '../../sdk/index.ts'

/** A tool that the page runs, as the AI SDK's models are told of it. */
export interface PageTool {
  readonly type: 'function'
  readonly name: string
  readonly description: string
  readonly inputSchema: object
}

/**
 * For `useChat` with a server that calls the model: prepares the chat on the branch in this browser, sends the server
 * what was prepared, as model messages with the tools, and settles by the usage that the server puts on the end of its stream.
 */
export function preparedTransport(
  branch: Branch,
  options: { readonly api: string; readonly tools: readonly PageTool[]; readonly fetch?: typeof fetch },
): ChatTransport<UIMessage> {
  const { tools, ...provided } = options
  const withContext = [...tools, branch.contextTool.definition('ai-sdk')]
  const http = new DefaultChatTransport<UIMessage>({
    ...provided,
    prepareSendMessagesRequest: ({ id, body }) => ({ body: { ...body, id } }),
  })
  return {
    async sendMessages({ messages, abortSignal, body, ...rest }) {
      const prompt = await convertToModelMessages(messages)
      const { request, settle } = await branch.prepare(
        { prompt, tools: withContext },
        { format: 'ai-sdk', ...(abortSignal ? { signal: abortSignal } : {}) },
      )
      const prepared = { ...body, messages: request.prompt, tools: request.tools }
      const chunks = await http
        .sendMessages({ messages, abortSignal, body: prepared, ...rest })
        .catch(async (error: unknown) => {
          await settle({ error })
          throw error
        })
      return chunks.pipeThrough(
        new TransformStream({
          async transform(chunk, controller) {
            if (chunk.type === 'finish')
              await settle({ usage: (chunk.messageMetadata as ServerMetadata | undefined)?.usage ?? null })
            // After a rejection for its length the chat is made to fit when it is sent again, by `regenerate()`.
            if (chunk.type === 'error') await settle({ error: new Error(chunk.errorText) })
            controller.enqueue(chunk)
          },
        }),
      )
    },
    reconnectToStream: (reconnect) => http.reconnectToStream(reconnect),
  }
}

/** As `messageMetadata` of the server's `toUIMessageStreamResponse` gives it. */
interface ServerMetadata {
  readonly usage?: unknown
}
