// `streamText` of the AI SDK with the middleware and the context tool, under a ceiling:
//   npm run example:ai-sdk
//   OPENAI_API_KEY=… npm run example:ai-sdk
import { createOpenAI } from '@ai-sdk/openai'
import { jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } from 'ai'
import { contextTool, dogearMiddleware } from '../../sdk/ai-sdk.ts'
import { createDogear } from '../../sdk/index.ts'
import { rehearsalTask, rehearsalTools, runRehearsalTool } from '../../sdk/testing.ts'
import { network, printDecision } from './around.ts'

const { OPENAI_API_KEY: apiKey, OPENAI_MODEL = 'gpt-5-mini' } = process.env

const dogear = createDogear({ policy: { maxInputTokens: 16_000 } })
const branch = await dogear.branch('example')
branch.subscribe(printDecision)

const openai = createOpenAI({ apiKey: apiKey || 'none', fetch: await network(apiKey) })
const model = wrapLanguageModel({
  model: openai.chat(OPENAI_MODEL),
  middleware: dogearMiddleware(branch),
})
const documents = rehearsalTools.map(({ name, description, parameters }) => [
  name,
  tool({
    description,
    inputSchema: jsonSchema(parameters),
    execute: (args) => runRehearsalTool(branch.contextTool, name, args),
  }),
])

const { text } = streamText({
  model,
  prompt: rehearsalTask,
  tools: { ...Object.fromEntries(documents), context: contextTool(branch) },
  stopWhen: stepCountIs(60),
})
console.log(await text)
await dogear.close()
