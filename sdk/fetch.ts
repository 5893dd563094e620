import type { Warning } from './engine/format.ts'
import { chatEndpoint, isUnknownChat } from './fetch-endpoint.ts'
import { type DogearFetchOptions, type FetchHost, requireFetchOptions } from './fetch-options.ts'

/**
 * A `fetch` for the option of that name that every client has. What is surely no chat request goes through at once;
 * the rest is a chunk of its own, which comes with the first chat request.
 */
export function chatFetch(options: DogearFetchOptions, host: FetchHost): typeof fetch {
  const { branch, fetch: own } = requireFetchOptions(options)
  const send: typeof fetch = (input, init) => (own ? own(input, init) : globalThis.fetch(input, init))
  return async (input, init) => {
    const endpoint = chatEndpoint(input, init)
    if (endpoint === null && isUnknownChat(input, init)) host.warn(unknownChat)
    const chat = endpoint === null ? null : await loadChat(host)
    if (endpoint === null || chat === null) return send(input, init)
    return chat.sendChat({ input, init, endpoint, branch, send, host })
  }
}

const unknownChat: Warning = {
  code: 'chat_unmeasured',
  message:
    "a request to Gemini's interactions went out as it came: it is in no format that is measured here, so no ceiling holds for it; use generateContent for a chat that is to be held under one",
}

async function loadChat(host: FetchHost): Promise<typeof import('./fetch-chat.ts') | null> {
  try {
    return await import('./fetch-chat.ts')
  } catch {
    host.warn({
      code: 'chunk_unavailable',
      message:
        'the request went out as it came, since the chunk that prepares it could not be loaded; check that the build serves it',
    })
    return null
  }
}
