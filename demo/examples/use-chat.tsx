import { useChat } from '@ai-sdk/react'
import {
  DirectChatTransport,
  lastAssistantMessageIsCompleteWithToolCalls,
  stepCountIs,
  ToolLoopAgent,
  type ToolSet,
  type UIMessage,
  wrapLanguageModel,
} from 'ai'
import { useState } from 'react'
import { contextTool, dogearMiddleware } from '../../sdk/ai-sdk.ts'
import type { Branch } from '../../sdk/index.ts'
import { type PageTool, preparedTransport } from './prepared-transport.ts'

type Model = Parameters<typeof wrapLanguageModel>[0]['model']

interface DirectChatOptions {
  readonly branch: Branch
  readonly model: Model
  readonly tools: ToolSet
}

/** `useChat` where the page calls the model itself: the middleware is all there is to add. */
export function useDirectChat({ branch, model, tools }: DirectChatOptions) {
  const [transport] = useState(() => {
    const withContext: ToolSet = { ...tools, context: contextTool(branch) }
    const agent = new ToolLoopAgent({
      model: wrapLanguageModel({ model, middleware: dogearMiddleware(branch) }),
      tools: withContext,
      stopWhen: stepCountIs(60),
    })
    return new DirectChatTransport({ agent })
  })
  return useChat({ id: branch.id, transport })
}

interface ServerChatOptions {
  readonly branch: Branch
  readonly api: string
  readonly fetch?: typeof fetch
  readonly tools: readonly PageTool[]
  /** Runs a tool of the app. */
  readonly runTool: (name: string, args: unknown) => Promise<unknown>
}

/**
 * `useChat` where a server calls the model, one answer at a time. The page runs the tools: the originals that the
 * context tool reads are in this browser.
 */
export function useServerChat({ branch, runTool, ...provided }: ServerChatOptions) {
  const [transport] = useState(() => preparedTransport(branch, provided))
  const chat = useChat({
    id: branch.id,
    transport,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithToolCalls,
    async onToolCall({ toolCall: { toolName: tool, toolCallId, input } }) {
      const output = tool === 'context' ? await branch.contextTool.run(input) : await runTool(tool, input)
      // Must not be waited for: it waits for the answer that this call is part of.
      chat.addToolOutput({ tool, toolCallId, output })
    },
  })
  return chat
}

interface MessagesProps {
  readonly messages: readonly UIMessage[]
  readonly error: Error | undefined
}

export function Messages({ messages, error }: MessagesProps) {
  return (
    <>
      {messages.map(({ id, role, parts }) => (
        <article key={id} aria-label={role}>
          {parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n')}
        </article>
      ))}
      {error && <p role="alert">{error.message}</p>}
    </>
  )
}
