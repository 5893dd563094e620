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
import { documentTools, runTool } from '../testing/rehearsal/tools.ts'
import { type Driver, type DriverOptions, MOST_STEPS } from './driver.ts'

/** The adapters, by the format that each speaks. */
const adapters = {
  'openai-chat': ({ url, fetch, model }: Provided) => openAi({ url, fetch }).chat(model),
  'openai-responses': ({ url, fetch, model }: Provided) => openAi({ url, fetch }).responses(model),
  anthropic: ({ url, fetch, model }: Provided) =>
    createAnthropic({ baseURL: `${url}/v1`, apiKey: 'test', fetch })(model),
  gemini: ({ url, fetch, model }: Provided) =>
    createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey: 'test', fetch })(model),
}

type Provided = Pick<DriverOptions, 'url' | 'fetch' | 'model'>

export type AdapterFormat = keyof typeof adapters

export function aiSdkModel(
  format: AdapterFormat,
  provided: Provided,
): ReturnType<(typeof adapters)[AdapterFormat]> {
  return adapters[format](provided)
}

type ProviderOptions = Parameters<typeof generateText>[0]['providerOptions']

/** An app over the AI SDK and one of its adapters, which is given the fetch. */
export function aiSdkOf(format: AdapterFormat, providerOptions: ProviderOptions = {}): Driver {
  return (options) => run(aiSdkModel(format, options), options, providerOptions)
}

/** The same with the middleware around the model. */
export function aiSdkMiddlewareOf(format: AdapterFormat): Driver {
  return (options) => {
    const model = aiSdkModel(format, { ...options, fetch: options.network })
    return run(wrapLanguageModel({ model, middleware: dogearMiddleware(options.branch) }), options)
  }
}

async function run(
  model: LanguageModel,
  { branch, isStreamed, hasContextTool }: DriverOptions,
  providerOptions: ProviderOptions = {},
): Promise<string> {
  const settings = {
    model,
    providerOptions,
    prompt: task,
    tools: {
      ...Object.fromEntries(
        documentTools.map(({ name, description, parameters }) => [
          name,
          tool({
            description,
            inputSchema: jsonSchema(parameters as Parameters<typeof jsonSchema>[0]),
            execute: (args: unknown) => runTool(branch.contextTool, name, args),
          }),
        ]),
      ),
      ...(hasContextTool ? { context: contextTool(branch) } : {}),
    },
    stopWhen: stepCountIs(MOST_STEPS),
  }
  if (!isStreamed) return (await generateText(settings)).text
  const errors: unknown[] = []
  const { text } = streamText({ ...settings, onError: ({ error }) => void errors.push(error) })
  const said = await text
  // Of a later step it tells beside the text, which is that of the step before.
  if (errors.length > 0) throw errors[0]
  return said
}

function openAi({ url, fetch }: Pick<Provided, 'url' | 'fetch'>): ReturnType<typeof createOpenAI> {
  return createOpenAI({ baseURL: `${url}/v1`, apiKey: 'test', fetch })
}
