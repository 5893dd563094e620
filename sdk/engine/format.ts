import type { JsonObject, JsonValue } from './json.ts'
import type { TextBody } from './readable-text.ts'

export type Format = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini' | 'ai-sdk'

/**
 * One message in a provider's own shape, or, where a provider splits a turn into items, the run of items
 * that makes one message. Opaque to the engine: only the wire looks inside.
 */
export type NativeMessage = JsonValue

export type DraftKind = 'system' | 'instruction' | 'answer' | 'call' | 'result'

/** What one part of a native message is, before the record has given it an index. */
export interface EntryDraft {
  readonly kind: DraftKind
  /**
   * Kind, text, call name, parsed arguments, call id and result content as one canonical text (rules.md 6,
   * "Matching"). Two drafts are the same entry exactly when these are equal. Must ignore cache marks,
   * provider options, message ids, reasoning, signatures, and string or array form.
   */
  readonly matchText: string
  /** What a person or the model reads when it asks for this entry. For a result: the text of `read_result`. */
  readonly text: string
  readonly callId?: string
  /**
   * Of a result, where the provider lets either side leave its id out: where no call of the newest round has this
   * id, it answers the first one of its name there that has no result yet.
   */
  readonly pairsByName?: true
  /** Function name of a call, or of the call that a result answers where the format repeats it. */
  readonly name?: string
  /** Arguments of a call as JSON text, exactly as the provider wrote them where it writes text. */
  readonly arguments?: string
  /** An instruction that shares its message with tool results starts no turn and is never the task. */
  readonly startsTurn?: boolean
  /** A result whose call failed, as the format or the result itself says. */
  readonly failed?: true
}

/** A stretch of a message's counted JSON text and the draft it belongs to. All stretches joined are the text. */
export interface Segment {
  /** Ordinal of the draft inside its message. */
  readonly owner: number
  readonly text: string
  /** Tokens of media that stands here and is never counted as text. */
  readonly media?: number
}

/** What a reading depends on beside the value. */
export interface ReadingOptions {
  /** The model that will read it: images cost each family differently. Absent: the dearest current rates. */
  readonly model?: string | undefined
}

export interface MessageReading {
  readonly drafts: readonly EntryDraft[]
  readonly segments: readonly Segment[]
}

export type CountedField =
  | {
      readonly type: 'value'
      readonly key: string
      readonly part: 'system' | 'tools' | 'other'
      readonly value: JsonValue
    }
  | { readonly type: 'messages'; readonly key: string }

export interface ToolFacts {
  readonly name: string
  /** The tool's schema has an `action` whose values include `read_result`: dogear's context tool. */
  readonly readsResults: boolean
}

/** A request taken apart. Nothing is copied: every value is the app's own. */
export interface ReadRequest {
  readonly model: string | undefined
  /** Counted keys in the order of rules.md 5, "text that is counted"; exactly one is the message list. */
  readonly fields: readonly CountedField[]
  /** Leading system and developer messages of the list: slots, measured and sent but not matched. */
  readonly leading: readonly NativeMessage[]
  readonly messages: readonly NativeMessage[]
  readonly tools: readonly ToolFacts[]
  /**
   * The response whose history the provider holds and this request continues, so that the list is only what
   * is new. The adapter's own statement from a field that means just that (R42).
   */
  readonly continues?: string
  /**
   * A prefix that the provider holds under this name and reads ahead of the list, which is all there is beside it.
   * Its tokens come on top of what is counted.
   */
  readonly heldPrefix?: string
  /**
   * The provider wants the first round of the current turn as it was (Anthropic's manual thinking: only it need
   * hold the thinking that must lead the turn's tool results), so no stage may take that round.
   */
  readonly keepsTurnHead?: true
  /** The request enables or carries reasoning that is bound to all that stands before it. */
  readonly bindsReasoning?: true
  /** The app has the provider mark the end of the request, wherever that is; it counts as one of its marks. */
  readonly endMark?: CacheLifetime
  /** The provider behind the request takes no marks, though the format can hold them; whatever depends on them is off. */
  readonly takesNoMarks?: true
}

/** What the app says of where a request goes, for formats that do not say it themselves. */
export interface RequestRoute {
  readonly model?: string | undefined
  readonly provider?: string | undefined
}

export type BodyTexts = ReadonlyMap<number, ReadonlyMap<number, string>>

/** A message of the view, ready to be written: whole or with some of its drafts gone; or a note. */
export type CompiledItem =
  | {
      readonly type: 'message'
      /** What is sent when the message is whole: the app's own object where it handed one over. */
      readonly native: NativeMessage
      /** Frozen copy of `native`, for measuring and cutting. */
      readonly snapshot: NativeMessage
      /** Ordinals of the drafts that stay, ascending. */
      readonly kept: readonly number[]
      /** Record index per draft ordinal. */
      readonly indexes: readonly number[]
      readonly whole: boolean
      /** Names how its bodies are shortened, and `native` is then not what the app handed over; null: not at all. */
      readonly projection: string | null
    }
  /** Without an index it is said once and belongs to no entry. */
  | { readonly type: 'note'; readonly text: string; readonly index: number | null }

/** A native message that will be sent. */
export interface WireMessage {
  readonly native: NativeMessage
  /** What is measured: `native` as JSON holds it, and never touched by the app. */
  readonly snapshot: NativeMessage
  /** Record index per draft ordinal of `snapshot`. */
  readonly indexes: readonly number[]
}

export interface ComposeOptions {
  readonly model: string | undefined
  /** Position in the items of the first one that differs from what the provider has seen; null: none. */
  readonly changedFrom: number | null
}

export interface Composition {
  readonly messages: readonly WireMessage[]
  readonly warnings: readonly Warning[]
}

export interface Warning {
  readonly code: string
  /** Says what happened and what to do. Never conversation text. */
  readonly message: string
  readonly indexes?: readonly number[]
}

export interface LintFault {
  /** Stable name of the provider's rule, such as `call_without_result`. */
  readonly rule: string
  /** Where: `messages[3].content[0]`. */
  readonly path: string
  readonly message: string
}

/** Tokens as the provider reported them; unknown stays absent (architecture decision 6). */
export interface ReportedUsage {
  /** All input of the request: fresh, read from cache and written to it. */
  readonly input?: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
  readonly output?: number
  /** The figures sum several model calls, so they say nothing about the size of one request. */
  readonly isTotal: boolean
  readonly raw: unknown
}

/** How long a provider keeps a prefix that is marked; the default is the shorter one. */
export type CacheLifetime = '5m' | '1h'

export interface CacheMark {
  /** Ordinal of the draft that the marked block belongs to; 0 in the value of a field. */
  readonly owner: number
  readonly lifetime: CacheLifetime
}

/**
 * How a format marks the end of a prefix for the provider's cache. A prefix is the tools, then the system, then
 * the messages; a longer lifetime must not come after a shorter one. All functions are pure.
 */
export interface CacheMarks {
  /** Marks that one request may hold. */
  readonly limit: number
  /** The marks of a message, or of the value of a field, in the order of the prefix. */
  read(snapshot: JsonValue): readonly CacheMark[]
  /**
   * The value of a field, or a system message at the head of the list, with a mark at its end: itself where one is
   * there; null where none may be.
   */
  markValue(snapshot: JsonValue, lifetime: CacheLifetime): JsonValue | null
  /**
   * A message with a mark on the last block that may hold one, up to the end of a draft: itself where that block
   * is marked; null where none may be.
   */
  markMessage(
    snapshot: NativeMessage,
    mark: { readonly lifetime: CacheLifetime; readonly upToDraft: number },
  ): NativeMessage | null
  /** What a mark at the end of a draft covers of a message; equal whatever marks it holds and in whichever form. */
  covered(snapshot: NativeMessage, upToDraft: number): NativeMessage
}

/** The context tool as an app registers it, in words that are no provider's. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON schema of an object. */
  readonly parameters: JsonObject
}

/** What was wrong with a request that could not be read. */
export interface ShapeFault {
  readonly path: string
  readonly expected: string
  readonly actual: string
}

export type ReadOutcome =
  | { readonly type: 'read'; readonly request: ReadRequest }
  | { readonly type: 'fault'; readonly fault: ShapeFault }

/** What the events of one response have come to, bounded however long a stream is. */
export interface ResponseReading {
  /**
   * A response of the format that says nothing: `readUsage` and `responseId` must read from it what they would read
   * from all events together. Null where no event was one of the format.
   */
  readonly response: JsonObject | null
  /** What the provider reported in place of an answer, or in the middle of one; null: nothing. */
  readonly error: JsonValue
  /** The answer has come to its end. */
  readonly isComplete: boolean
}

/** What a request that asks for a summary is made of, in words that are no provider's. */
export interface SummaryQuestion {
  readonly instructions: string
  readonly history: string
  /** Absent: the model of the request that it is made from. */
  readonly model?: string
  /** How much it is to be thought about, in the provider's own words; absent: as much as that request. */
  readonly reasoning?: unknown
}

/** Everything the engine needs to know about one provider's wire format. All functions are pure. */
export interface WireFormat {
  readonly format: Format
  /** Whether a body has this format's shape. Cheap: looks at the top level and the first few messages. */
  recognises(request: JsonObject): boolean
  read(request: JsonObject, route?: RequestRoute): ReadOutcome
  /**
   * A message as JSON can hold it, where apps hand over what JSON cannot, such as bytes. Must be the same for the
   * same content, a message that the provider takes as well, and the very message where there is nothing of the
   * kind. Absent: every message is JSON already.
   */
  plain?(native: unknown): unknown
  /** Entries and counted text of one frozen message. Unknown blocks belong to the entry they stand in. */
  readMessage(snapshot: NativeMessage, options?: ReadingOptions): MessageReading
  /** Counted text of a field's value, such as the system blocks or the tools; every owner is 0. */
  readValue(snapshot: JsonValue, options?: ReadingOptions): readonly Segment[]
  /** The texts of each result of a message that may be shortened, by draft, in order (R128, R165). */
  resultBodies(snapshot: NativeMessage): ReadonlyMap<number, readonly TextBody[]>
  /** A copy of a message with some bodies of its results replaced, by draft and then by body. */
  replaceBodies(snapshot: NativeMessage, texts: BodyTexts): NativeMessage
  /**
   * A copy of a message in which a text stands for all that one result brought, media included; ids stay. Null where
   * the result takes no text in its place, or brought what has a meaning beyond what can be read of it.
   */
  clearResult(snapshot: NativeMessage, draft: number, text: string): NativeMessage | null
  /** Writes items back to messages; a message that lost every draft is dropped; notes get their place. */
  compose(items: readonly CompiledItem[], options: ComposeOptions): Composition
  /** The request with its matched messages replaced; everything else is the app's own object. */
  write(request: JsonObject, read: ReadRequest, messages: readonly NativeMessage[]): JsonObject
  /** Largest body that the provider takes, in bytes; absent: it states none. No ceiling of tokens (R14). */
  readonly maxRequestBytes?: number
  /** Name under which a later request could continue a response that the provider holds; null: none. */
  responseId?(response: unknown): string | null
  /**
   * A request of the app's with a question in place of its list, to the same model under the same settings. It must
   * carry neither tools nor a form for the answer, must not be streamed, continued or kept (rules.md 6). Absent: the
   * format has no requests of its own.
   */
  summaryRequest?(request: JsonObject, question: SummaryQuestion): JsonObject
  /** What a whole response says, without its reasoning; null: no text. */
  readAnswer?(response: unknown): string | null
  /** Absent: the format marks nothing, and whatever depends on marks is off (R253). */
  readonly cacheMarks?: CacheMarks
  /** Null where the response carries no usage. */
  readUsage(response: unknown): ReportedUsage | null
  /** Goes on with the next event of a response; one that is not streamed is its only event. Absent: none is sent. */
  readEvent?(reading: ResponseReading, event: JsonObject): ResponseReading
  /**
   * A request without any reasoning, where its provider rejected it since some is bound to another beginning; null: the
   * error says something else (rules.md 2, "Reasoning that binds to its prefix"). Absent: the provider never does.
   */
  withoutReasoning?(request: JsonObject, error: unknown): JsonObject | null
  /**
   * Whether an event of a stream says anything of the answer: before the first that does, another response can take
   * the place of this one, whatever has been passed on of it. Absent: no event may stand twice.
   */
  beginsAnswer?(event: JsonObject): boolean
  /** What the provider would reject, from its published rejections; empty for a sound request. */
  lint(request: JsonObject): readonly LintFault[]
}
