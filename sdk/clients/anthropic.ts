import Anthropic from '@anthropic-ai/sdk'
import { task } from '../testing/rehearsal/documents.ts'
import { modelNames } from '../testing/rehearsal/model-names.ts'
import { documentTools, runTool } from '../testing/rehearsal/tools.ts'
import { type Driver, type DriverOptions, MOST_STEPS, neverEnded } from './driver.ts'

/** With reasoning, where the model has to be asked for it. */
export const anthropicMessages: Driver = async ({
  model,
  branch,
  isStreamed,
  hasContextTool,
  ...provided
}) => {
  const client = anthropicClient(provided)
  const tools = [
    ...documentTools.map(({ name, description, parameters }) => ({
      name,
      description,
      input_schema: parameters,
    })),
    ...(hasContextTool ? [branch.contextTool.definition('anthropic')] : []),
  ]
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: task }]
  for (let step = 0; step < MOST_STEPS; step++) {
    const request = {
      model,
      max_tokens: 2000,
      system: 'You read documents.',
      messages,
      tools,
      ...(model === modelNames.manual ? { thinking: { type: 'enabled' as const, budget_tokens: 1024 } } : {}),
    }
    const message = isStreamed
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request)
    messages.push({ role: 'assistant', content: message.content as Anthropic.ContentBlockParam[] })
    const calls = message.content.filter((block) => block.type === 'tool_use')
    if (calls.length === 0)
      return message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
    const results = calls.map(async (call) => ({
      type: 'tool_result' as const,
      tool_use_id: call.id,
      content: await runTool(branch.contextTool, call.name, call.input),
    }))
    messages.push({ role: 'user', content: await Promise.all(results) })
  }
  return neverEnded()
}

export function anthropicClient({ url, fetch }: Pick<DriverOptions, 'url' | 'fetch'>): Anthropic {
  return new Anthropic({ baseURL: url, apiKey: 'test', fetch, dangerouslyAllowBrowser: true })
}
