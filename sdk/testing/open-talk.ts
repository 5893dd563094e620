import type { JsonObject } from '../engine/json.ts'
import type { ContextPolicy } from '../engine/policy.ts'
import type { Summarize } from '../ports.ts'
import { openTestBranch, type TestBranch } from './open-branch.ts'

/** A talk without tools, which only a summary can make smaller: about fifty tokens a message. */
export function talk(length: number): JsonObject {
  const messages = Array.from({ length }, (_, place) => ({
    role: place % 2 === 0 ? 'user' : 'assistant',
    content: `Message ${place}: ${Array.from({ length: 40 }, (_, word) => `word${(word * 7 + place) % 10}`).join(' ')}`,
  }))
  return { model: 'test-model', messages }
}

async function ceilingOf(): Promise<number> {
  const { branch } = await openTestBranch()
  const { decision } = await branch.prepare(talk(17))
  return Math.floor(decision.counted / 0.8)
}

/** The ceiling under which a talk of seventeen messages is folded, and one of fifteen is not. */
export const ceiling = await ceilingOf()

/** A branch that has come to fifteen messages, all of them read, and would be folded with the next two. */
export async function openTalk(
  options: { readonly policy?: ContextPolicy; readonly summarize?: Summarize } = {},
): Promise<TestBranch> {
  const { summarize } = options
  const test = await openTestBranch({
    policy: { maxInputTokens: ceiling, ...options.policy },
    ...(summarize ? { summarize } : {}),
  })
  for (let length = 1; length <= 15; length += 2)
    await (await test.branch.prepare(talk(length))).settle({ usage: null })
  return test
}
