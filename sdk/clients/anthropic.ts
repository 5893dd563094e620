import Anthropic from '@anthropic-ai/sdk'
import { task } from '../testing/rehearsal/documents.ts'
import { readDocument, runTool } from '../testing/rehearsal/tools.ts'
import { modelNames } from './anthropic-models.ts'
import { type Driver, MOST_STEPS, neverEnded } from './driver.ts'

/** An app over Anthropic's client, with reasoning that is bound, that is wanted back, or without any. */
export function anthropicOf(model: 'plain' | 'preserved' | 'manual'): Driver {
  return async ({ url, fetch, branch, isStreamed, hasContextTool, model: named }) => {
    const client = new Anthropic({ baseURL: url, apiKey: 'test', fetch, dangerouslyAllowBrowser: true })
    const { name, description, parameters } = readDocument
    const tools = [
      { name, description, input_schema: parameters },
      ...(hasContextTool ? [branch.contextTool.definition('anthropic')] : []),
    ] as Anthropic.Tool[]
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: task }]
    for (let step = 0; step < MOST_STEPS; step++) {
      const request = {
        model: named ?? modelNames[model],
        max_tokens: 2000,
        system: 'You read documents.',
        messages,
        tools,
        ...(model === 'manual' ? { thinking: { type: 'enabled' as const, budget_tokens: 1024 } } : {}),
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
}
