import type { Prepared } from '../branch.ts'
import type { ContextDecision, FoldRecord } from '../engine/journal.ts'
import type { JsonObject } from '../engine/json.ts'
import { InputCeilingError } from '../errors.ts'
import { type Conversation, requestAt } from './conversation.ts'
import type { TestBranch } from './open-branch.ts'
import type { Random } from './random.ts'

/** One request of an app: what it handed over, and what came of it. */
export interface PlayedRequest {
  readonly incoming: JsonObject
  /** Null where it was refused. */
  readonly prepared: Prepared<JsonObject> | null
  readonly refusal: InputCeilingError | null
  readonly decision: ContextDecision
  readonly folds: readonly FoldRecord[]
}

/** Hands one request over, refused or not; whatever else goes wrong is thrown. */
export async function playRequest(test: TestBranch, incoming: JsonObject): Promise<PlayedRequest> {
  const before = test.events.length
  const outcome = await test.branch.prepare(structuredClone(incoming)).catch((error: unknown) => {
    if (error instanceof InputCeilingError) return error
    throw error
  })
  const told = test.events.slice(before)
  const decided = told.findLast((event) => event.type === 'request-decided')
  if (decided === undefined) throw new TypeError('a request ended without a decision')
  const folds = told.flatMap((event) => (event.type === 'stage-applied' ? [event.fold] : []))
  const isRefused = outcome instanceof InputCeilingError
  return {
    incoming,
    prepared: isRefused ? null : outcome,
    refusal: isRefused ? outcome : null,
    decision: decided.decision,
    folds,
  }
}

/**
 * Plays a conversation as an app on a bad line does: most requests complete, some fail and are sent again, some
 * are aborted, and some are never settled at all. Whoever plays looks at each request before it ends.
 */
export async function* playAtRandom(
  test: TestBranch,
  conversation: Conversation,
  random: Random,
  /** What a provider reports as the input of a request; null: nothing. */
  reported: (counted: number) => number | null = () => null,
): AsyncGenerator<PlayedRequest> {
  for (const length of conversation.requests) {
    const incoming = requestAt(conversation, length)
    for (let isOpen = true; isOpen; ) {
      const played = await playRequest(test, incoming)
      yield played
      isOpen = false
      const { prepared } = played
      if (prepared === null) continue
      const choice = random.next()
      if (choice < 0.75) await prepared.settle({ usage: usageOf(played, reported(played.decision.counted)) })
      else if (choice < 0.85) {
        await prepared.settle({ error: new Error('the line broke') })
        isOpen = random.chance(0.6)
      } else if (choice < 0.92) await prepared.settle({ aborted: true })
    }
  }
}

function usageOf({ decision }: PlayedRequest, input: number | null): JsonObject | null {
  if (input === null) return null
  return decision.format === 'anthropic'
    ? { input_tokens: input, output_tokens: 9 }
    : { prompt_tokens: input, completion_tokens: 9 }
}
