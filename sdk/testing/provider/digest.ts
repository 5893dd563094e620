import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'

/** Names a text: equal texts have one name, others another. */
export function digestOf(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)))
}
