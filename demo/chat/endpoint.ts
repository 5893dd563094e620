import { fetchFrom, rehearsalModels, rehearsalProvider } from '../../sdk/testing.ts'
import { loadTokenizer } from '../../sdk/tokenizer.ts'

/** Who answers: a model that is played in this page, or a server that speaks OpenAI's Chat Completions. */
export type Endpoint =
  | { readonly type: 'rehearsal'; readonly model: RehearsalModel }
  | { readonly type: 'server'; readonly url: string; readonly model: string; readonly key: string }

export type RehearsalModel = keyof typeof rehearsalKinds

/** What each of the played models is there to show. */
export const rehearsalKinds = {
  plain: 'counts as dogear does',
  reasoning: 'counts 5 % more than dogear does',
  small: 'takes 6,000 tokens and rejects what is longer',
} as const

/** How long a played model thinks, so that there is something to see. */
const THINKING_MS = 80

/** Where a client is to send to, and by what. */
export interface Reached {
  readonly baseURL: string
  readonly apiKey: string
  readonly model: string
  readonly network: typeof fetch
}

let rehearsing: Promise<typeof fetch> | null = null

export async function reach(endpoint: Endpoint): Promise<Reached> {
  if (endpoint.type === 'server') {
    const { url, key, model } = endpoint
    return {
      baseURL: url.replace(/\/$/, ''),
      apiKey: key || 'none',
      model,
      network: (...call) => fetch(...call),
    }
  }
  rehearsing ??= rehearsalNetwork()
  return {
    baseURL: 'https://rehearsal.invalid/v1',
    apiKey: 'none',
    model: rehearsalModels[endpoint.model],
    network: await rehearsing,
  }
}

/** Nothing leaves the page: the provider stands in the place of the network. */
async function rehearsalNetwork(): Promise<typeof fetch> {
  const { count } = await loadTokenizer()
  const provider = rehearsalProvider({
    count,
    interfere: () => ({ type: 'delay', milliseconds: THINKING_MS }),
  })
  return fetchFrom(provider)
}
