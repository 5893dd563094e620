import type { Outcome, Prepared } from './branch.ts'
import { isObject, type JsonObject } from './engine/json.ts'
import { isAborted } from './is-aborted.ts'

/** A language model of the AI SDK, as far as it is called here. */
export interface AiSdkModel {
  readonly modelId: string
  readonly provider: string
  doGenerate(options: never): PromiseLike<unknown>
  doStream(options: never): PromiseLike<{ readonly stream: ReadableStream<unknown> }>
}

/** A prepared call of a model. */
export interface Call {
  readonly prepared: Prepared
  readonly model: AiSdkModel
  /** As they were prepared. */
  readonly params: { readonly abortSignal?: AbortSignal }
}

/** Calls a model and settles by what comes of it; where it says that the call is too long, once more (R321, R363). */
export async function generateChat(call: Call, doGenerate: () => PromiseLike<unknown>): Promise<unknown> {
  const { prepared, model } = call
  let result: unknown
  try {
    result = await doGenerate()
  } catch (error) {
    const retry = await retryAfter(call, failureOf(error, call))
    if (!retry) throw error
    return generateChat({ ...call, prepared: retry }, () => model.doGenerate(retry.request as never))
  }
  settle(prepared, { response: result })
  return result
}

/** The same of a stream, whose parts pass as they come. */
export async function streamChat<Result extends { readonly stream: ReadableStream<unknown> }>(
  call: Call,
  doStream: () => PromiseLike<Result>,
): Promise<Result> {
  let result: Result
  try {
    result = await doStream()
  } catch (error) {
    const retry = await retryAfter(call, failureOf(error, call))
    if (!retry) throw error
    return streamAgain<Result>(call, retry)
  }
  return { ...result, stream: watchedStream(result.stream, call) }
}

function streamAgain<Result extends { readonly stream: ReadableStream<unknown> }>(
  call: Call,
  retry: Prepared,
): Promise<Result> {
  const doStream = () => call.model.doStream(retry.request as never) as PromiseLike<Result>
  return streamChat({ ...call, prepared: retry }, doStream)
}

/** Parts that say nothing of an answer yet. */
const openingTypes: ReadonlySet<unknown> = new Set(['stream-start', 'response-metadata', 'raw', 'error'])

/** Parts that tell what was used, and by whom; none holds what was said. */
const keptTypes: ReadonlySet<unknown> = new Set(['response-metadata', 'finish'])

function watchedStream(stream: ReadableStream<unknown>, call: Call): ReadableStream<unknown> {
  let reader = stream.getReader()
  /** Null once it is settled. */
  let open: Call | null = call
  const kept: JsonObject[] = []
  let hasBegun = false
  let cancelled: { readonly reason: unknown } | null = null
  const end = (outcome: Outcome): void => {
    if (open) settle(open.prepared, outcome)
    open = null
  }
  const usage = (): { readonly usage?: unknown } => (kept.length > 0 ? { usage: kept } : {})
  return new ReadableStream(
    {
      async pull(controller): Promise<void> {
        try {
          const { done, value } = await reader.read()
          if (done) {
            end({ error: streamEnded, ...usage() })
            controller.close()
            return
          }
          const part = isObject(value) ? value : {}
          if (keptTypes.has(part.type)) kept.push(part)
          if (part.type === 'error' && open) {
            const retry = await retryAfter(open, { ...failureOf(part.error, open), ...usage() })
            open = null
            const next = retry && !hasBegun ? await streamAgain(call, retry).catch(() => null) : null
            if (next) {
              await reader.cancel().catch(() => undefined)
              reader = next.stream.getReader()
              if (cancelled) return reader.cancel(cancelled.reason)
              return this.pull?.(controller)
            }
          }
          hasBegun ||= !openingTypes.has(part.type)
          if (part.type === 'finish')
            end(isInterrupted(part) ? { error: streamEnded, ...usage() } : { response: kept })
          controller.enqueue(value)
        } catch (error) {
          end({ ...failureOf(error, call), ...usage() })
          controller.error(error)
        }
      },
      cancel(reason): Promise<void> {
        cancelled = { reason }
        end({ aborted: true, ...usage() })
        return reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

const streamEnded = new Error('the stream ended before the answer did')

/** Adapters finish a stream that broke off as they finish any other, and say so in its reason alone. */
function isInterrupted({ finishReason }: JsonObject): boolean {
  return isObject(finishReason) && finishReason.unified === 'interrupted'
}

/** What takes the place of a call that failed; null: its error stands. */
async function retryAfter({ prepared, params }: Call, outcome: Outcome): Promise<Prepared | null> {
  const settlement = await prepared.settle(outcome).catch(() => null)
  params.abortSignal?.throwIfAborted()
  return settlement?.retry ?? null
}

function failureOf(error: unknown, { params }: Call): Outcome {
  if (isAborted(error, params.abortSignal)) return { aborted: true }
  const status =
    typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : undefined
  return { error, ...(typeof status === 'number' ? { status } : {}) }
}

/** Ahead of whatever the app asks for next, though nobody waits for it; what cannot be settled is the branch's to tell. */
function settle(prepared: Prepared, outcome: Outcome): void {
  prepared.settle(outcome).catch(() => undefined)
}
