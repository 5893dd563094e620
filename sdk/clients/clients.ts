import type { Format } from '../engine/format.ts'
import type { ContextPolicy } from '../engine/policy.ts'
import { modelNames } from '../testing/rehearsal/model-names.ts'
import { aiSdkMiddlewareOf, aiSdkOf } from './ai-sdk.ts'
import { anthropicMessages } from './anthropic.ts'
import type { Driver } from './driver.ts'
import { googleGenAi } from './gemini.ts'
import { openAiChat, openAiResponses } from './openai.ts'

export interface Client {
  readonly name: string
  /** In which dogear is given the request. */
  readonly format: Format
  /** In which it is sent, where that is another one. */
  readonly sentAs?: Format
  readonly model: string
  readonly run: Driver
  readonly policy?: ContextPolicy
  /** What the model hands out with its answers and wants back. */
  readonly reasoning?: {
    /** Found in the requests that bring it. */
    readonly text: string
    /** Stands for its beginning only, so that none is left once that was folded. */
    readonly isBound?: true
  }
}

const { plain, reasoning, claude, preserved, manual, gemini } = modelNames

const encrypted = { text: '"encrypted_content":"' }
const signed = { text: '"signature":"' }
const bound = { ...signed, isBound: true } as const
const thought = { text: '"thoughtSignature":"' }

/** Every client in every format that it speaks, with each kind of reasoning that it has to bring back. */
export const clients: readonly Client[] = [
  { name: 'openai', format: 'openai-chat', model: plain, run: openAiChat },
  { name: 'openai', format: 'openai-responses', model: plain, run: openAiResponses },
  {
    name: 'openai, encrypted reasoning',
    format: 'openai-responses',
    model: reasoning,
    run: openAiResponses,
    reasoning: encrypted,
  },
  { name: '@anthropic-ai/sdk', format: 'anthropic', model: claude, run: anthropicMessages },
  {
    name: '@anthropic-ai/sdk, preserved thinking',
    format: 'anthropic',
    model: preserved,
    run: anthropicMessages,
    reasoning: bound,
  },
  {
    name: '@anthropic-ai/sdk, manual thinking',
    format: 'anthropic',
    model: manual,
    run: anthropicMessages,
    reasoning: signed,
  },
  {
    name: '@anthropic-ai/sdk, caching',
    format: 'anthropic',
    model: claude,
    run: anthropicMessages,
    policy: { promptCaching: true },
  },
  {
    name: '@google/genai, thought signatures',
    format: 'gemini',
    model: gemini,
    run: googleGenAi,
    reasoning: thought,
  },
  { name: 'ai with @ai-sdk/openai', format: 'openai-chat', model: plain, run: aiSdkOf('openai-chat') },
  {
    name: 'ai with @ai-sdk/openai',
    format: 'openai-responses',
    model: plain,
    run: aiSdkOf('openai-responses'),
  },
  {
    name: 'ai with @ai-sdk/openai, reasoning by reference',
    format: 'openai-responses',
    model: reasoning,
    run: aiSdkOf('openai-responses'),
    reasoning: { text: '"item_reference"' },
  },
  {
    name: 'ai with @ai-sdk/openai, encrypted reasoning',
    format: 'openai-responses',
    model: reasoning,
    run: aiSdkOf('openai-responses', { openai: { store: false } }),
    reasoning: encrypted,
  },
  { name: 'ai with @ai-sdk/anthropic', format: 'anthropic', model: claude, run: aiSdkOf('anthropic') },
  {
    name: 'ai with @ai-sdk/anthropic, preserved thinking',
    format: 'anthropic',
    model: preserved,
    run: aiSdkOf('anthropic'),
    reasoning: bound,
  },
  {
    name: 'ai with @ai-sdk/google, thought signatures',
    format: 'gemini',
    model: gemini,
    run: aiSdkOf('gemini'),
    reasoning: thought,
  },
  {
    name: 'ai, dogearMiddleware, @ai-sdk/openai chat',
    format: 'ai-sdk',
    sentAs: 'openai-chat',
    model: plain,
    run: aiSdkMiddlewareOf('openai-chat'),
  },
  {
    name: 'ai, dogearMiddleware, @ai-sdk/openai responses',
    format: 'ai-sdk',
    sentAs: 'openai-responses',
    model: plain,
    run: aiSdkMiddlewareOf('openai-responses'),
  },
  {
    name: 'ai, dogearMiddleware, @ai-sdk/anthropic',
    format: 'ai-sdk',
    sentAs: 'anthropic',
    model: claude,
    run: aiSdkMiddlewareOf('anthropic'),
  },
  {
    name: 'ai, dogearMiddleware, @ai-sdk/google, thought signatures',
    format: 'ai-sdk',
    sentAs: 'gemini',
    model: gemini,
    run: aiSdkMiddlewareOf('gemini'),
    reasoning: thought,
  },
]
