import {
  type ContextPolicy,
  misplacedPolicyKey,
  type PolicyValidation,
  validatePolicy,
  validateStoredPolicy,
} from './engine/policy.ts'
import { DogearError } from './errors.ts'

/** A policy that an app set, checked; its error names the key, what was expected and what came. */
export function requirePolicy(policy: unknown): ContextPolicy {
  return policyOrThrow(validatePolicy(policy))
}

/** A policy that was stored with a branch: null reads as unset, and whatever is malformed is refused (R243). */
export function requireStoredPolicy(policy: unknown): ContextPolicy {
  return policyOrThrow(validateStoredPolicy(policy))
}

function policyOrThrow(checked: PolicyValidation): ContextPolicy {
  if (checked.type === 'policy') return checked.policy
  const { path, expected, actual } = checked
  throw new DogearError({
    code: 'invalid_policy',
    message: `${path} must be ${expected}, but is ${actual}; nothing was changed`,
    fields: { path, expected, actual },
  })
}

/** Throws `invalid_policy` where a setting of the policy stands beside it: nothing would say that it is not in force. */
export function requireNoPolicyKeys(options: object, call: string): void {
  const key = misplacedPolicyKey(options)
  if (key === undefined) return
  throw new DogearError({
    code: 'invalid_policy',
    message: `${key} must stand in the policy, as in ${call.replace('…', `{ policy: { ${key}: … } }`)}; nothing was changed`,
    fields: { path: key },
  })
}
