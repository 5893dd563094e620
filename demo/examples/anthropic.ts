// An agent with tools over `@anthropic-ai/sdk`, streamed, under a ceiling that its task comes to many times:
//   npm run example:anthropic
//   ANTHROPIC_API_KEY=… npm run example:anthropic
import Anthropic from '@anthropic-ai/sdk'
import { createDogear } from '../../sdk/index.ts'
import { rehearsalTask, rehearsalTools, runRehearsalTool } from '../../sdk/testing.ts'
import { network, printDecision } from './around.ts'

const { ANTHROPIC_API_KEY: apiKey, ANTHROPIC_MODEL: model = 'claude-haiku-4-5' } = process.env

const dogear = createDogear({ policy: { maxInputTokens: 16_000 } })
const branch = await dogear.branch('example')
branch.subscribe(printDecision)

const client = new Anthropic({
  apiKey: apiKey || 'none',
  fetch: dogear.fetch({ branch: 'example', fetch: await network(apiKey) }),
})
const tools = [
  ...rehearsalTools.map(({ name, description, parameters }) => ({
    name,
    description,
    input_schema: parameters,
  })),
  branch.contextTool.definition('anthropic'),
]
const messages: Anthropic.MessageParam[] = [{ role: 'user', content: rehearsalTask }]

for (;;) {
  const { content } = await client.messages
    .stream({ model, max_tokens: 2000, messages, tools })
    .finalMessage()
  messages.push({ role: 'assistant', content: content as Anthropic.ContentBlockParam[] })
  const results: Anthropic.ToolResultBlockParam[] = []
  for (const block of content) {
    if (block.type === 'text') console.log(block.text)
    if (block.type !== 'tool_use') continue
    const text = await runRehearsalTool(branch.contextTool, block.name, block.input)
    results.push({ type: 'tool_result', tool_use_id: block.id, content: text })
  }
  if (results.length === 0) break
  messages.push({ role: 'user', content: results })
}

await dogear.close()
