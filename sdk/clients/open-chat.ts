import type { Branch } from '../branch.ts'
import { createDogear } from '../dogear.ts'
import { isObject, type JsonObject } from '../engine/json.ts'
import type { ContextPolicy } from '../engine/policy.ts'
import type { DogearEvent } from '../events.ts'
import { memoryStore } from '../stores/memory.ts'

/** One request that reached the network, and with what status it was answered. */
export interface SentRequest {
  readonly body: JsonObject
  readonly status: number
}

/** A chat of its own: a dogear with an empty store, over the page's own `fetch`. */
export interface OpenChat {
  readonly fetch: typeof fetch
  readonly network: typeof fetch
  readonly branch: Branch
  /** What was answered, in that order. */
  readonly sent: readonly SentRequest[]
  readonly events: readonly DogearEvent[]
  close(): Promise<void>
}

export interface OpenChatOptions {
  /** What the network answers in place of the provider, or fails with; null: nothing. */
  readonly interfere?: (body: JsonObject) => Response | null | Promise<Response>
}

export async function openChat(
  policy: ContextPolicy,
  { interfere }: OpenChatOptions = {},
): Promise<OpenChat> {
  const dogear = createDogear({ policy, store: memoryStore(), tokenizer: { engine: 'script' } })
  // So that no round is decided by its bytes.
  await dogear.warmUp()
  const events: DogearEvent[] = []
  dogear.subscribe((event) => events.push(event))
  const sent: SentRequest[] = []
  const network: typeof fetch = async (input, init) => {
    const body: unknown = await new Request(input, init).json()
    if (!isObject(body)) throw new TypeError('a chat request with a body that is no object')
    const response = (await interfere?.(body)) ?? (await globalThis.fetch(input, init))
    sent.push({ body, status: response.status })
    return response
  }
  return {
    fetch: dogear.fetch({ branch: 'chat', fetch: network }),
    network,
    branch: await dogear.branch('chat'),
    sent,
    events,
    close: () => dogear.close(),
  }
}
