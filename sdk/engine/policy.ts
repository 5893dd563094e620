/** What an app may set for a branch. Every key optional; presence is validated strictly (R235 to R239). */
export interface ContextPolicy {
  /** Input tokens, `auto` for the model's first price tier, `none` for no ceiling. Unset reads as `auto`. */
  readonly maxInputTokens?: number | 'auto' | 'none'
  /** Share of the ceiling at which a fold starts; 0.8. */
  readonly contextFoldAt?: number
  /** Share of the ceiling that a fold aims for; 0.6. */
  readonly contextFoldTarget?: number
  /** Whole units kept beyond the tails of six and two; 0. */
  readonly contextFoldTailMargin?: number
  /** Code points of one tool-result body in a request, at least 1,024; absent: no bound. */
  readonly toolResultMaxChars?: number
  readonly promptCaching?: boolean
  readonly run?: 'iterative' | 'bounded'
  /** Who reads folded material back. `auto`: the model where the request carries the context tool, else the user. */
  readonly recovery?: 'auto' | 'model' | 'user'
  readonly notice?: boolean
  readonly summaryBodies?: boolean
  readonly compaction?:
    | { readonly mode: 'summarize'; readonly model?: string; readonly reasoning?: unknown }
    | { readonly mode: 'delegate'; readonly timeoutMs?: number }
    | { readonly mode: 'off' }
}
