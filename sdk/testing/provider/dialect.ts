import type { JsonObject } from '../../engine/json.ts'
import type { OverflowStyle, ProviderModel } from './model.ts'
import type { NamedAnswer, ProviderTurn, ProviderUsage } from './turn.ts'

/** A rejection as it leaves. */
export interface Rejection {
  readonly status: number
  readonly body: JsonObject
}

export interface Overflow {
  readonly style: OverflowStyle | undefined
  readonly limit: number
  readonly got: number
  readonly output: number
}

/** A stretch of what the provider reads, counted by itself so that equal beginnings are equal tokens. */
export interface Piece {
  readonly text: string
  /** Images, recordings and files in it, as they came. */
  readonly media?: readonly string[]
  /** The app marks the cache up to here. */
  readonly isMarked?: true
}

export interface ReceivedChat {
  readonly body: JsonObject
  readonly model: string
  readonly isStreamed: boolean
  /** Output tokens that the request asks for; 0 where it does not say. */
  readonly output: number
  readonly turn: ProviderTurn
  /** Name of the history that the request continues, where the provider does not hold it. */
  readonly unknownHistory?: string
  readonly pieces: readonly Piece[]
}

export interface Answered {
  readonly chat: ReceivedChat
  readonly answer: NamedAnswer
  readonly usage: ProviderUsage
}

/**
 * What the provider holds: all up to the end of a response by the name of that, and each item of one by its own.
 */
export type ResponseMemory = Map<string, readonly JsonObject[]>

/** How one format is spoken: its requests read, its answers and its rejections written. */
export interface Dialect {
  /**
   * Null where the address is not one of its chat requests.
   */
  read(path: string, body: JsonObject, memory: ResponseMemory): ReceivedChat | null
  /** What is wrong with the shape of a request, in the provider's own words; null: nothing. */
  reject(chat: ReceivedChat, model: ProviderModel): Rejection | null
  /** Binds the reasoning of an answer to what stands before it, and to its own words where the format can tell. */
  sign(chat: ReceivedChat, reasoning: string): string
  overflow(overflow: Overflow): Rejection
  error(status: number, message: string): Rejection
  /** A whole answer; kept where the request wants it kept. */
  whole(answered: Answered, memory: ResponseMemory): JsonObject
  /** The chunks of a stream, as they stand on the wire. */
  stream(answered: Answered, memory: ResponseMemory): readonly string[]
  /** The chunk of a stream that reports an error in place of what is left. */
  errorChunk(body: JsonObject): string
  readonly contentType: string
}
