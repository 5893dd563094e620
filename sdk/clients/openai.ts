import OpenAI from 'openai'
import { task } from '../testing/rehearsal/documents.ts'
import { readDocument, runTool } from '../testing/rehearsal/tools.ts'
import { type Driver, MOST_STEPS, neverEnded } from './driver.ts'

function clientFor({
  url,
  fetch,
}: {
  readonly url: string
  readonly fetch: typeof globalThis.fetch
}): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: 'test', fetch, dangerouslyAllowBrowser: true })
}

export const openAiChat: Driver = async ({
  url,
  fetch,
  branch,
  isStreamed,
  hasContextTool,
  model = 'plain',
}) => {
  const client = clientFor({ url, fetch })
  const tools = [
    { type: 'function', function: readDocument },
    ...(hasContextTool ? [branch.contextTool.definition('openai-chat')] : []),
  ] as OpenAI.ChatCompletionTool[]
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: 'You read documents.' },
    { role: 'user', content: task },
  ]
  for (let step = 0; step < MOST_STEPS; step++) {
    const request = { model, messages, tools }
    const completion = isStreamed
      ? await client.chat.completions
          .stream({ ...request, stream_options: { include_usage: true } })
          .finalChatCompletion()
      : await client.chat.completions.create(request)
    const message = completion.choices[0]?.message
    if (!message) throw new Error('a completion without a choice')
    messages.push(message)
    if (!message.tool_calls?.length) return message.content ?? ''
    for (const call of message.tool_calls)
      if (call.type === 'function')
        messages.push({
          role: 'tool',
          tool_call_id: call.id,
          content: await runTool(branch.contextTool, call.function.name, JSON.parse(call.function.arguments)),
        })
  }
  return neverEnded()
}

export const openAiResponses: Driver = async ({ url, fetch, branch, isStreamed, hasContextTool }) => {
  const client = clientFor({ url, fetch })
  const tools = [
    { type: 'function', strict: false, ...readDocument },
    ...(hasContextTool ? [branch.contextTool.definition('openai-responses')] : []),
  ] as OpenAI.Responses.Tool[]
  const input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: task }]
  for (let step = 0; step < MOST_STEPS; step++) {
    const request = { model: 'plain', instructions: 'You read documents.', input, tools, store: false }
    const response = isStreamed
      ? await client.responses.stream(request).finalResponse()
      : await client.responses.create(request)
    input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]))
    const calls = response.output.flatMap((item) => (item.type === 'function_call' ? [item] : []))
    if (calls.length === 0) return response.output_text
    for (const call of calls)
      input.push({
        type: 'function_call_output',
        call_id: call.call_id,
        output: await runTool(branch.contextTool, call.name, JSON.parse(call.arguments)),
      })
  }
  return neverEnded()
}
