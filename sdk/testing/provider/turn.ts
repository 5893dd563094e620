import type { JsonObject } from '../../engine/json.ts'

export interface ProviderCall {
  readonly id: string
  readonly name: string
  readonly arguments: JsonObject
}

export interface ProviderResult {
  /** Of the call that it answers; '' where the format pairs by order. */
  readonly callId: string
  readonly text: string
  readonly isError: boolean
}

export interface ProviderMessage {
  readonly role: 'user' | 'assistant'
  readonly text: string
  readonly calls: readonly ProviderCall[]
  readonly results: readonly ProviderResult[]
}

/** What a request says, whatever its format: all that a script may answer from. */
export interface ProviderTurn {
  readonly model: string
  readonly system: string
  readonly tools: readonly { readonly name: string; readonly schema: JsonObject }[]
  readonly messages: readonly ProviderMessage[]
}

/** What a script answers. The provider names the calls and dresses it in its format. */
export interface ProviderAnswer {
  readonly text?: string
  readonly reasoning?: string
  readonly calls?: readonly { readonly name: string; readonly arguments: JsonObject }[]
}

/** An answer on its way out. */
export interface NamedAnswer {
  /** Names the response; the names of its parts are made from it. */
  readonly id: string
  readonly text: string
  readonly reasoning: string
  /** Binds the reasoning to all that stands before it; '' without reasoning. */
  readonly signature: string
  readonly calls: readonly ProviderCall[]
}

/** Tokens of one request and its answer, the input whole, cached or not. */
export interface ProviderUsage {
  readonly input: number
  readonly cacheRead: number
  readonly cacheWrite: number
  readonly output: number
  /** Of the output: what the model thought before it spoke. */
  readonly reasoning: number
}
