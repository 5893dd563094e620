import { isObject, type JsonValue } from '../../engine/json.ts'
import { geminiMajor } from '../gemini-version.ts'
import { callIn, isSigned } from './parts.ts'

/** What the provider takes in place of a signature that is no longer at hand. */
const SENTINEL = 'skip_thought_signature_validator'

type Parts = readonly JsonValue[]

/**
 * The parts that are left of a content: themselves where their first call carries what it needs. Where the call
 * that carried the signature for all is gone, the one that is now the first gets the sentinel. Models before
 * version 3 ask for none.
 */
export function signFirstCall(
  parts: Parts,
  options: { readonly of: Parts; readonly model: string | undefined },
): Parts {
  const major = geminiMajor(options.model)
  if (major !== null && major < 3) return parts
  const signer = options.of.find((part) => callIn(part) !== null)
  const first = parts.find((part) => callIn(part) !== null)
  if (signer === undefined || first === undefined || !isSigned(signer) || isSigned(first)) return parts
  return parts.map((part) =>
    part === first && isObject(part) ? { ...part, thoughtSignature: SENTINEL } : part,
  )
}
