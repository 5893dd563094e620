import type { DraftKind } from '../engine/format.ts'
import { isObject, type JsonValue } from '../engine/json.ts'
import { canonicalJson } from './canonical-json.ts'
import { ownJsonKeys } from './redact.ts'
import { isTextBlock } from './text-block.ts'

/** One piece of content as it is matched: its kind and its canonical text. */
export type MatchPart = readonly [type: string, text: string]

export interface MatchFacts {
  readonly kind: DraftKind
  readonly content: readonly MatchPart[]
  readonly name?: string | undefined
  /** Canonical arguments of a call, by `matchArguments`. */
  readonly arguments?: MatchPart
  /** The call's id, or its position in its message where the format gives it none. */
  readonly callId?: string | number | undefined
}

/** One canonical text of all that makes two entries the same (rules.md 6, "Matching"). */
export function matchText(facts: MatchFacts): string {
  return JSON.stringify([
    facts.kind,
    facts.content,
    facts.name ?? null,
    facts.arguments ?? null,
    facts.callId ?? null,
  ])
}

/** Arguments that are JSON match by value, whatever their spacing and key order; others by their text. */
export function matchArguments(text: string): MatchPart {
  try {
    return ['json', canonicalJson(JSON.parse(text))]
  } catch {
    return ['text', text]
  }
}

/** Content in string or array form; reasoning and empty texts say nothing about identity. */
export function matchContent(content: JsonValue | undefined): readonly MatchPart[] {
  if (typeof content === 'string') return content === '' ? [] : [['text', content]]
  if (!Array.isArray(content)) return []
  return content.flatMap(matchBlock)
}

function matchBlock(block: JsonValue): readonly MatchPart[] {
  if (!isObject(block)) return [['block', canonicalJson(block)]]
  if (isReasoning(block)) return []
  if (isTextBlock(block)) return matchContent(block.text)
  return [['block', canonicalJson(identity(block))]]
}

const reasoningTypes: ReadonlySet<unknown> = new Set([
  'thinking',
  'redacted_thinking',
  'reasoning',
  'reasoning-file',
])

export function isReasoning(block: JsonValue): boolean {
  return isObject(block) && reasoningTypes.has(block.type)
}

const incidentalKeys: ReadonlySet<string> = new Set([
  'cache_control',
  'signature',
  'thought_signature',
  'encrypted_content',
  'encrypted_index',
  'providerOptions',
])

/** A block holds blocks, and they hold parts, but a part holds no further marks. */
const deepestMark = 8

/** What of a block makes it the same block: no cache marks, no signatures, and null is as good as absent. */
function identity(value: JsonValue, depth = 0): JsonValue {
  if (depth === deepestMark) return value
  if (Array.isArray(value)) return value.map((item) => identity(item, depth + 1))
  if (!isObject(value)) return value
  const kept: [string, JsonValue][] = []
  for (const [key, item] of Object.entries(value)) {
    if (item === undefined || item === null || incidentalKeys.has(key)) continue
    kept.push([key, ownJsonKeys.has(key) ? item : identity(item, depth + 1)])
  }
  return Object.fromEntries(kept)
}
