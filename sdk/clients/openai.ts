import OpenAI from 'openai'
import { task } from '../testing/rehearsal/documents.ts'
import { modelNames } from '../testing/rehearsal/model-names.ts'
import { documentTools, runTool } from '../testing/rehearsal/tools.ts'
import { type Driver, type DriverOptions, MOST_STEPS, neverEnded } from './driver.ts'

type ResponseItems = OpenAI.Responses.ResponseInputItem[]

export const openAiChat: Driver = async ({ model, branch, isStreamed, hasContextTool, ...provided }) => {
  const client = openAiClient(provided)
  const tools = [
    ...documentTools.map((tool) => ({ type: 'function' as const, function: tool })),
    ...(hasContextTool ? [branch.contextTool.definition('openai-chat')] : []),
  ]
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

/** The app holds the history, and encrypted reasoning where the model has it. */
export const openAiResponses: Driver = async (options) => {
  const input: ResponseItems = [{ role: 'user', content: task }]
  const { model } = options
  const include = model === modelNames.reasoning ? (['reasoning.encrypted_content'] as const) : []
  const respond = responder(options)
  for (let step = 0; step < MOST_STEPS; step++) {
    const response = await respond({ input, store: false, include: [...include] })
    input.push(...(response.output as ResponseItems))
    const outputs = await outputsOf(response, options)
    if (outputs.length === 0) return response.output_text
    input.push(...outputs)
  }
  return neverEnded()
}

/** The provider holds the history: each request names the response that it continues, and brings what is new. */
export const openAiContinuedResponses: Driver = async (options) => {
  const respond = responder(options)
  let response = await respond({ input: task })
  for (let step = 1; step < MOST_STEPS; step++) {
    const outputs = await outputsOf(response, options)
    if (outputs.length === 0) return response.output_text
    response = await respond({ input: outputs, previous_response_id: response.id })
  }
  return neverEnded()
}

export function openAiClient({ url, fetch }: Pick<DriverOptions, 'url' | 'fetch'>): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: 'test', fetch, dangerouslyAllowBrowser: true })
}

function responder({ model, branch, isStreamed, hasContextTool, ...provided }: DriverOptions) {
  const client = openAiClient(provided)
  const tools = [
    ...documentTools.map((tool) => ({ type: 'function' as const, strict: false, ...tool })),
    ...(hasContextTool ? [branch.contextTool.definition('openai-responses')] : []),
  ]
  return (
    changing: Pick<OpenAI.Responses.ResponseCreateParams, 'input' | 'store' | 'include'> & {
      readonly previous_response_id?: string
    },
  ): Promise<OpenAI.Responses.Response> => {
    const request = { model, instructions: 'You read documents.', tools, ...changing }
    return isStreamed ? client.responses.stream(request).finalResponse() : client.responses.create(request)
  }
}

/** What the app answers to the calls of a response. */
function outputsOf({ output }: OpenAI.Responses.Response, { branch }: DriverOptions): Promise<ResponseItems> {
  const calls = output.flatMap((item) => (item.type === 'function_call' ? [item] : []))
  return Promise.all(
    calls.map(async ({ call_id, name, arguments: args }) => ({
      type: 'function_call_output' as const,
      call_id,
      output: await runTool(branch.contextTool, name, JSON.parse(args)),
    })),
  )
}
