import { jsonSchema, type LanguageModel, type ModelMessage, streamText, type Tool, tool } from 'ai'
import type { PageTool } from './prepared-transport.ts'

/** What the server of `useServerChat` does: one answer of the model to what the page prepared. */
export async function answerChat(request: Request, model: LanguageModel): Promise<Response> {
  const { messages, tools } = (await request.json()) as {
    readonly messages: ModelMessage[]
    readonly tools: readonly PageTool[]
  }
  // Without `execute`: the page runs them, and sends what they gave with the next request.
  const declared = tools.map(({ name, description, inputSchema }): [string, Tool] => [
    name,
    tool({ description, inputSchema: jsonSchema(inputSchema) }),
  ])
  const answer = streamText({
    model,
    messages,
    tools: Object.fromEntries(declared),
    abortSignal: request.signal,
  })
  return answer.toUIMessageStreamResponse({
    // By this the page measures: it does not see what the provider reported.
    messageMetadata: ({ part }) => (part.type === 'finish' ? { usage: part.totalUsage } : undefined),
    onError: (error) => (error instanceof Error ? error.message : String(error)),
  })
}
