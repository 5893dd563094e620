import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import {
  generateText,
  jsonSchema,
  type LanguageModel,
  stepCountIs,
  streamText,
  tool,
  wrapLanguageModel,
} from 'ai'
import { contextTool, dogearMiddleware } from '../ai-sdk.ts'
import { task } from '../testing/rehearsal/documents.ts'
import { readDocument, runTool } from '../testing/rehearsal/tools.ts'
import { type Driver, type DriverOptions, MOST_STEPS } from './driver.ts'

type Provided = Pick<DriverOptions, 'url' | 'fetch'>

const models = {
  'openai chat': ({ url, fetch }: Provided) => openAi({ url, fetch }).chat('plain'),
  'openai responses': ({ url, fetch }: Provided) => openAi({ url, fetch }).responses('plain'),
  anthropic: ({ url, fetch }: Provided) =>
    createAnthropic({ baseURL: `${url}/v1`, apiKey: 'test', fetch })('claude-3-haiku-20240307'),
  google: ({ url, fetch }: Provided) =>
    createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: 'test', fetch })('gemini-3-pro'),
}

/** An app over the AI SDK and one of its adapters, which is given the fetch. */
export function aiSdkOf(adapter: keyof typeof models): Driver {
  return (options) => run(models[adapter](options) as LanguageModel, options)
}

/** The same with the middleware around the model, and the page's own fetch. */
export function aiSdkMiddlewareOf(adapter: keyof typeof models): Driver {
  return (options) => {
    const model = models[adapter]({ url: options.url, fetch: globalThis.fetch })
    return run(wrapLanguageModel({ model, middleware: dogearMiddleware(options.branch) }), options)
  }
}

async function run(
  model: LanguageModel,
  { branch, isStreamed, hasContextTool }: DriverOptions,
): Promise<string> {
  const { name, description, parameters } = readDocument
  const settings = {
    model,
    prompt: task,
    tools: {
      [name]: tool({
        description,
        inputSchema: jsonSchema(parameters as unknown as Parameters<typeof jsonSchema>[0]),
        execute: (args: unknown) => runTool(branch.contextTool, name, args),
      }),
      ...(hasContextTool ? { context: contextTool(branch) } : {}),
    },
    stopWhen: stepCountIs(MOST_STEPS),
  }
  return isStreamed ? streamText(settings).text : (await generateText(settings)).text
}

function openAi({ url, fetch }: Provided): ReturnType<typeof createOpenAI> {
  return createOpenAI({ baseURL: `${url}/v1`, apiKey: 'test', fetch })
}
