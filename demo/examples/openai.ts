// An agent with tools over the `openai` client, under a ceiling that its task comes to many times:
//   npm run example:openai
//   OPENAI_API_KEY=… npm run example:openai
import OpenAI from 'openai'
import { createDogear } from '../../sdk/index.ts'
import { rehearsalTask, rehearsalTools, runRehearsalTool } from '../../sdk/testing.ts'
import { network, printDecision } from './around.ts'

const { OPENAI_API_KEY: apiKey, OPENAI_MODEL: model = 'gpt-5-mini' } = process.env

const dogear = createDogear({ policy: { maxInputTokens: 16_000 } })
const branch = await dogear.branch('example')
branch.subscribe(printDecision)

const client = new OpenAI({
  apiKey: apiKey || 'none',
  fetch: dogear.fetch({ branch: 'example', fetch: await network(apiKey) }),
})
const tools = [
  ...rehearsalTools.map((tool) => ({ type: 'function' as const, function: tool })),
  branch.contextTool.definition('openai-chat'),
]
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: rehearsalTask }]

for (;;) {
  const { choices } = await client.chat.completions.create({ model, messages, tools })
  const message = choices[0]?.message
  if (!message) throw new Error('a completion without a choice')
  messages.push(message)
  if (!message.tool_calls?.length) break
  for (const call of message.tool_calls) {
    if (call.type !== 'function') continue
    const { name, arguments: args } = call.function
    const content = await runRehearsalTool(branch.contextTool, name, JSON.parse(args))
    messages.push({ role: 'tool', tool_call_id: call.id, content })
  }
}

console.log(messages.at(-1)?.content)
await dogear.close()
