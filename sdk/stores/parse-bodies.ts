import type { NativeMessage } from '../engine/format.ts'
import { bodyDamaged, bodyMissing } from './failures.ts'
import { frozen } from './frozen.ts'

/** Messages of the bodies that were asked for, frozen; `texts` stand in the order of `hashes`. */
export function parseBodies(
  hashes: readonly string[],
  texts: readonly (string | undefined)[],
): readonly NativeMessage[] {
  const missing = hashes.find((_, position) => texts[position] === undefined)
  if (missing !== undefined) throw bodyMissing(missing)
  return frozen(hashes.map((hash, position) => parseBody(hash, texts[position] ?? '')))
}

function parseBody(hash: string, json: string): NativeMessage {
  try {
    return JSON.parse(json)
  } catch {
    throw bodyDamaged(hash, json.length)
  }
}
