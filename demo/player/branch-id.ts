import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** The same transcript always plays on the same branch, so that a reload finds what was folded. */
export function branchIdOf(text: string): string {
  return `transcript-${bytesToHex(sha256(utf8ToBytes(text))).slice(0, 20)}`
}
