import type { ContextPolicy } from '../../sdk/index.ts'

/** What the controls show of a policy. Shares are percentages; without a bound, bodies are sent whole. */
export interface PolicyForm {
  readonly ceiling: number
  readonly line: number
  readonly target: number
  readonly bound: number | null
}

export const startForm: PolicyForm = { ceiling: 24_000, line: 80, target: 60, bound: null }

/** Bound that is proposed when a bound is switched on, in characters. */
export const proposedBound = 8_000

export function formOf(policy: ContextPolicy): PolicyForm {
  const { maxInputTokens, contextFoldAt, contextFoldTarget, toolResultMaxChars } = policy
  return {
    ceiling: typeof maxInputTokens === 'number' ? maxInputTokens : startForm.ceiling,
    line: contextFoldAt === undefined ? startForm.line : percentOf(contextFoldAt),
    target: contextFoldTarget === undefined ? startForm.target : percentOf(contextFoldTarget),
    bound: toolResultMaxChars ?? null,
  }
}

/** The policy as it was typed, right or wrong: the SDK judges it. */
export function policyOf({ ceiling, line, target, bound }: PolicyForm): ContextPolicy {
  return {
    maxInputTokens: ceiling,
    contextFoldAt: line / 100,
    contextFoldTarget: target / 100,
    ...(bound !== null && { toolResultMaxChars: bound }),
  }
}

/** Without the noise of binary fractions: 0.57 is 57 percent, not 56.99999999999999. */
function percentOf(share: number): number {
  return Number((share * 100).toFixed(6))
}
