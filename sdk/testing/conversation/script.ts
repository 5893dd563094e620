import type { JsonObject } from '../../engine/json.ts'

/** What is said in a conversation, in no provider's words. */
export type Said =
  | { readonly type: 'ask'; readonly content: Content }
  | {
      readonly type: 'answer'
      readonly thinking: Thinking | null
      /** Null: nothing but calls. */
      readonly content: Content | null
      readonly calls: readonly Call[]
      /** What a person says in the same breath as the results; null: nothing. */
      readonly aside: string | null
    }

/** Text by itself, or in parts where a provider takes a list of them. */
export type Content = string | readonly Part[]

export type Part =
  | { readonly type: 'text'; readonly text: string }
  /** A PNG image, as base64. */
  | { readonly type: 'image'; readonly data: string }

export type Thinking =
  | { readonly type: 'open'; readonly text: string; readonly signature: string }
  | { readonly type: 'redacted'; readonly data: string }

export interface Call {
  readonly id: string
  readonly name: string
  readonly input: JsonObject
  /** Null: the turn was interrupted, and nobody ever answered the call. */
  readonly result: CallResult | null
}

export interface CallResult {
  readonly content: Content
  readonly failed: boolean
}
