import { isObject } from './json.ts'
import {
  faultOfKeys,
  isPositiveInteger,
  type KeyFault,
  type KeyRule,
  type KeyRules,
  keyFault,
  presentKeys,
} from './key-rules.ts'

/** What an app may set for a branch. Every key optional; presence is validated strictly (R235 to R239). */
export interface ContextPolicy {
  /** Input tokens, `auto` for the model's first price tier, `none` for no ceiling. Unset reads as `auto`. */
  readonly maxInputTokens?: number | 'auto' | 'none'
  /** Share of the ceiling at which a fold starts; 0.8. */
  readonly contextFoldAt?: number
  /** Share of the ceiling that a fold aims for; 0.6. */
  readonly contextFoldTarget?: number
  /** Whole rounds, with calls or without, kept beyond the tails of six and two; 0. */
  readonly contextFoldTailMargin?: number
  /** Code points of one tool-result body in a request, at least 1,024; absent: no bound. */
  readonly toolResultMaxChars?: number
  /**
   * Marks what later requests repeat for the provider's cache, and keeps the first round ahead of every fold; only
   * where the format holds marks (R253). Absent: as stored with the branch, else off.
   */
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

/**
 * A policy with its defaults filled in. The keys whose absence means something of its own stay as they were:
 * the ceiling (a default is told from an explicit `auto`), the body bound and prompt caching.
 */
export interface PolicyInForce extends ContextPolicy {
  readonly contextFoldAt: number
  readonly contextFoldTarget: number
  readonly contextFoldTailMargin: number
  readonly run: NonNullable<ContextPolicy['run']>
  readonly recovery: NonNullable<ContextPolicy['recovery']>
  readonly notice: boolean
  readonly summaryBodies: boolean
  readonly compaction: NonNullable<ContextPolicy['compaction']>
}

export type PolicyValidation = { readonly type: 'policy'; readonly policy: ContextPolicy } | KeyFault

const defaults = {
  contextFoldAt: 0.8,
  contextFoldTarget: 0.6,
  contextFoldTailMargin: 0,
  run: 'iterative',
  recovery: 'auto',
  notice: false,
  summaryBodies: false,
  compaction: { mode: 'summarize' },
} as const satisfies ContextPolicy

const boolean: KeyRule = { expected: 'true or false', accepts: (value) => typeof value === 'boolean' }

const share: KeyRule = {
  expected: 'a number over 0 and at most 1',
  accepts: (value) => typeof value === 'number' && value > 0 && value <= 1,
}

const policyRules: KeyRules<keyof ContextPolicy> = {
  maxInputTokens: {
    expected: 'a positive integer, "auto" or "none"',
    accepts: (value) => isPositiveInteger(value) || value === 'auto' || value === 'none',
  },
  contextFoldAt: share,
  contextFoldTarget: share,
  contextFoldTailMargin: {
    expected: 'an integer of at least 0',
    accepts: (value) => value === 0 || isPositiveInteger(value),
  },
  toolResultMaxChars: {
    expected: 'an integer of at least 1024',
    accepts: (value) => isPositiveInteger(value) && value >= 1024,
  },
  promptCaching: boolean,
  run: oneOf('iterative', 'bounded'),
  recovery: oneOf('auto', 'model', 'user'),
  notice: boolean,
  summaryBodies: boolean,
  compaction: { expected: 'an object with a mode', accepts: isObject },
}

/** A key of a policy that stands among other options, where nothing would read it; undefined: none does. */
export function misplacedPolicyKey(options: object): string | undefined {
  return Object.keys(options).find((key) => Object.hasOwn(policyRules, key))
}

/** A timer of the platform that is set to more ends at once. */
const LONGEST_TIMER = 2_147_483_647

type CompactionMode = PolicyInForce['compaction']['mode']

const compactionMode = oneOf('summarize', 'delegate', 'off')

const compactionRules: { readonly [mode in CompactionMode]: KeyRules } = {
  summarize: {
    mode: compactionMode,
    model: {
      expected: 'the name of a model',
      accepts: (value) => typeof value === 'string' && value.trim() !== '',
    },
    // The provider's own setting, in whatever form the provider has for it.
    reasoning: { expected: 'any value', accepts: () => true },
  },
  delegate: {
    mode: compactionMode,
    timeoutMs: {
      expected: `a positive integer of milliseconds, at most ${LONGEST_TIMER}`,
      accepts: (value) => isPositiveInteger(value) && value <= LONGEST_TIMER,
    },
  },
  off: { mode: compactionMode },
}

/**
 * Checks what an app handed over, by presence and type (R238): `null` is refused and a key that holds
 * `undefined` is absent. The policy that comes back is a copy without absent keys.
 */
export function validatePolicy(value: unknown): PolicyValidation {
  if (!isObject(value)) return keyFault('policy', 'an object', value)
  const { compaction } = value
  const policy = presentKeys({
    ...value,
    compaction: isObject(compaction) ? presentKeys(compaction) : compaction,
  })
  const found = faultOfKeys('policy', policy, policyRules) ?? faultOfCompaction(policy.compaction)
  if (found) return found
  // Every key was found among the rules and every value accepted by its own.
  const checked = policy as ContextPolicy
  return faultOfShares(checked) ?? { type: 'policy', policy: checked }
}

/** Checks a stored policy by the same rules; there `null` means that a key was unset (R242, R243). */
export function validateStoredPolicy(value: unknown): PolicyValidation {
  if (!isObject(value)) return validatePolicy(value)
  return validatePolicy(Object.fromEntries(Object.entries(value).filter(([, setting]) => setting !== null)))
}

/**
 * The policy of a branch that is opened again. A policy given now replaces the stored one whole, its unset
 * keys too (R20, R244, R245), but for prompt caching, which only an explicit `false` turns off.
 */
export function resumePolicy(stored: ContextPolicy, given: ContextPolicy | undefined): ContextPolicy {
  if (given === undefined) return stored
  if (given.promptCaching !== undefined || stored.promptCaching === undefined) return given
  return { ...given, promptCaching: stored.promptCaching }
}

/** A copy that nobody can change, for what was validated must stay so. */
export function frozenPolicy(policy: ContextPolicy): ContextPolicy {
  const { compaction } = policy
  return Object.freeze({ ...policy, ...(compaction ? { compaction: Object.freeze({ ...compaction }) } : {}) })
}

export function policyInForce(policy: ContextPolicy): PolicyInForce {
  return { ...defaults, ...policy }
}

function faultOfCompaction(compaction: unknown) {
  if (!isObject(compaction)) return undefined
  const path = 'policy.compaction'
  const { mode } = compaction
  if (!isCompactionMode(mode)) return keyFault(`${path}.mode`, compactionMode.expected, mode)
  return faultOfKeys(path, compaction, compactionRules[mode])
}

function faultOfShares(policy: ContextPolicy): KeyFault | undefined {
  const { contextFoldAt, contextFoldTarget } = policyInForce(policy)
  if (contextFoldTarget < contextFoldAt) return undefined
  return policy.contextFoldTarget === undefined
    ? keyFault(
        'policy.contextFoldAt',
        `over contextFoldTarget, which is ${contextFoldTarget} by default`,
        contextFoldAt,
      )
    : keyFault(
        'policy.contextFoldTarget',
        `below contextFoldAt, which is ${contextFoldAt}${policy.contextFoldAt === undefined ? ' by default' : ''}`,
        contextFoldTarget,
      )
}

function isCompactionMode(value: unknown): value is CompactionMode {
  return compactionMode.accepts(value)
}

function oneOf(...names: readonly string[]): KeyRule {
  return {
    expected: names.map((name) => `"${name}"`).join(' or '),
    accepts: (value) => names.some((name) => name === value),
  }
}
