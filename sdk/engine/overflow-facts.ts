/** What a provider's error says of a request that it rejected for its length (R321, R322). */
export interface OverflowFacts {
  /**
   * `context`: the input is longer than the model takes; `context-and-output`: input and requested output are together;
   * `request-bytes`: the body is, whatever its tokens are.
   */
  readonly kind: 'context' | 'context-and-output' | 'request-bytes'
  /** Largest size that is taken, in the provider's tokens, or bytes; absent: the error does not say. */
  readonly limit?: number
  /** What the request came to, output not included where the error tells it apart; absent: the error does not say. */
  readonly got?: number
  /** Output tokens that the request asked for, where the error names them. */
  readonly output?: number
  readonly provider?: string
  /** What told it: a typed code, or the name of a known sentence. Never the words of the error. */
  readonly evidence: string
}
