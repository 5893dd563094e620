import { onTestFinished } from 'vitest'
import type { Branch } from '../branch.ts'
import { createDogear, type Dogear, type DogearOptions } from '../dogear.ts'
import type { ContextDecision } from '../engine/journal.ts'
import { memoryStore } from '../stores/memory.ts'
import { numberedText, toolChat } from './tool-chat.ts'

/** A dogear over a store in memory, which folds at 4,800 tokens; closed when the test has ended. */
export function openDogear(options: DogearOptions = {}): Dogear {
  const dogear = createDogear({
    store: memoryStore(),
    policy: { maxInputTokens: 6000, recovery: 'user' },
    tokenizer: { engine: 'script' },
    ...options,
  })
  onTestFinished(() => dogear.close())
  return dogear
}

/** Sends a chat of so many rounds, each with a result of about 800 tokens, and has it answered. */
export async function send(branch: Branch, rounds: number): Promise<ContextDecision> {
  const { decision, settle } = await branch.prepare(chatOf(rounds))
  await settle({ usage: { prompt_tokens: Math.ceil(decision.counted * 1.1), completion_tokens: 5 } })
  return decision
}

export function chatOf(rounds: number): object {
  return toolChat(
    Array.from({ length: rounds }, (_, round) => ({ results: [numberedText(2000, `round ${round}, line`)] })),
  )
}
