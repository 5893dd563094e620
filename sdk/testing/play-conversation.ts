import type { Prepared } from '../branch.ts'
import { isObject, type JsonObject } from '../engine/json.ts'
import { type Conversation, requestAt } from './conversation.ts'
import { openTestBranch, type TestBranch } from './open-branch.ts'

export function messagesOf(request: unknown): readonly JsonObject[] {
  const messages = isObject(request) ? request.messages : undefined
  return Array.isArray(messages) ? messages : []
}

/** Plays a conversation as an app does: each request prepared, answered and settled. */
export async function playConversation(
  { branch }: Pick<TestBranch, 'branch'>,
  conversation: Conversation,
  onPrepared: (prepared: Prepared, incoming: JsonObject) => void = () => undefined,
): Promise<void> {
  for (const length of conversation.requests) {
    const incoming = requestAt(conversation, length)
    const prepared = await branch.prepare(structuredClone(incoming))
    onPrepared(prepared, incoming)
    await prepared.settle({ usage: null })
  }
}

/** Size of a conversation's last request, in tokens. */
export async function countedTokens(conversation: Conversation): Promise<number> {
  const { branch } = await openTestBranch()
  return (await branch.prepare(conversation.request)).decision.counted
}
