import { describeValue } from './describe-value.ts'
import type { ShapeFault } from './format.ts'
import { nearestKey } from './nearest-key.ts'

/** What one key of an options object may hold. */
export interface KeyRule {
  readonly expected: string
  readonly accepts: (value: unknown) => boolean
}

export type KeyRules<Key extends string = string> = { readonly [key in Key]: KeyRule }

/** Keys longer than this are cut where they are named. */
const longestKey = 64

export type KeyFault = { readonly type: 'fault' } & ShapeFault

/** The first key that is not known, or that holds what its rule does not accept. */
export function faultOfKeys(
  path: string,
  value: Readonly<Record<string, unknown>>,
  rules: KeyRules,
): KeyFault | undefined {
  for (const [key, setting] of Object.entries(value)) {
    const rule = Object.hasOwn(rules, key) ? rules[key] : undefined
    if (!rule) return unknownKey(path, key, Object.keys(rules))
    if (!rule.accepts(setting)) return keyFault(`${path}.${key}`, rule.expected, setting)
  }
  return undefined
}

export function keyFault(path: string, expected: string, actual: unknown): KeyFault {
  return { type: 'fault', path, expected, actual: describeValue(actual) }
}

export function isPositiveInteger(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0
}

/** Without the keys that hold `undefined`: for JavaScript and JSON they are absent. */
export function presentKeys(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, setting]) => setting !== undefined))
}

function unknownKey(path: string, key: string, known: readonly string[]): KeyFault {
  const nearest = nearestKey(key, known)
  const expected = nearest === undefined ? `one of ${known.join(', ')}` : `a known key, such as ${nearest}`
  return { type: 'fault', path: `${path}.${key.slice(0, longestKey)}`, expected, actual: 'unknown' }
}
