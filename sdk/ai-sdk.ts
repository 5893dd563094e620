import { jsonSchema, type LanguageModelMiddleware, type Tool } from 'ai'
import { type AiSdkModel, type Call, generateChat, streamChat } from './ai-sdk-call.ts'
import type { Branch, ContextToolReply, Prepared } from './branch.ts'
import { DogearError } from './errors.ts'
import { isRefusal } from './refusal-codes.ts'

export interface DogearMiddlewareOptions {
  /** Writes the summaries in place of the model of the round; a policy can only name a model, and not be one. */
  readonly summaryModel?: AiSdkModel
  /** Told why a call went out as it came, where that was no refusal. */
  readonly onUnprepared?: (error: DogearError) => void
  /** Of the language models that are wrapped: `v3` for version 6 of the AI SDK; `v4`. */
  readonly specificationVersion?: 'v3' | 'v4'
}

/**
 * Middleware for `wrapLanguageModel`: each call of the model is prepared on the branch and settled by how it ends.
 * A call that cannot fit throws `InputCeilingError` before anything is sent (R51), and one that is rejected for its
 * length is made to fit and sent once more (R321).
 */
export function dogearMiddleware(
  branch: Branch,
  options: DogearMiddlewareOptions = {},
): LanguageModelMiddleware {
  const { summaryModel, onUnprepared, specificationVersion = 'v4' } = options
  const prepared = new WeakMap<object, Prepared>()
  const callOf = (model: AiSdkModel, params: object): Call | null => {
    const known = prepared.get(params)
    return known ? { prepared: known, model, params } : null
  }
  const middleware = {
    specificationVersion,
    async transformParams({ params, model }: { readonly params: AiSdkParams; readonly model: AiSdkModel }) {
      try {
        const made = await branch.prepare(params, {
          format: 'ai-sdk',
          model: model.modelId,
          provider: model.provider,
          ...(params.abortSignal ? { signal: params.abortSignal } : {}),
          send: async (request, { signal }) =>
            (summaryModel ?? model).doGenerate({ ...(request as object), abortSignal: signal } as never),
        })
        // Each call has an object of its own, by which it is known when it ends.
        const sent = { ...made.request }
        prepared.set(sent, made)
        return sent
      } catch (error) {
        params.abortSignal?.throwIfAborted()
        if (!DogearError.isInstance(error) || isRefusal(error)) throw error
        onUnprepared?.(error)
        return params
      }
    },
    wrapGenerate({ doGenerate, params, model }: Wrapped) {
      const call = callOf(model, params)
      return call ? generateChat(call, doGenerate) : doGenerate()
    },
    wrapStream({ doStream, params, model }: Wrapped) {
      const call = callOf(model, params)
      return call ? streamChat(call, doStream) : doStream()
    },
  }
  // Both versions of the specification hand over and expect what stands above, each with types of its own.
  return middleware as unknown as LanguageModelMiddleware
}

interface AiSdkParams {
  readonly abortSignal?: AbortSignal
}

interface Wrapped {
  readonly doGenerate: () => PromiseLike<unknown>
  readonly doStream: () => PromiseLike<{ readonly stream: ReadableStream<unknown> }>
  readonly params: object
  readonly model: AiSdkModel
}

/**
 * The context tool of a branch, for the `tools` of `generateText` and `streamText`, under the name that the dogear was
 * given for it: `tools: { context: contextTool(branch) }`.
 */
export function contextTool(branch: Branch): Tool<unknown, ContextToolReply> {
  const { description, inputSchema } = branch.contextTool.definition('ai-sdk')
  return {
    description,
    inputSchema: jsonSchema(inputSchema),
    execute: (args: unknown) => branch.contextTool.run(args),
  } as Tool<unknown, ContextToolReply>
}
