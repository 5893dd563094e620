import type { LintFault } from '../../engine/format.ts'
import type { JsonObject } from '../../engine/json.ts'
import { geminiMajor } from '../gemini-version.ts'
import { callIn, contentParts, isModel, isSigned, responseIn } from './parts.ts'
import { modelOf } from './read.ts'

/**
 * From version 3 on, the first call of each step of the current turn carries the signature of the thought behind
 * it. A model that nobody knows is not faulted.
 */
export function lintSignatures(request: JsonObject, contents: readonly JsonObject[]): readonly LintFault[] {
  const major = geminiMajor(modelOf(request))
  if (major === null || major < 3) return []
  const turn = contents.findLastIndex(
    (content) => !isModel(content) && contentParts(content).some((part) => responseIn(part) === null),
  )
  return contents.flatMap((content, position) => {
    if (position <= turn || !isModel(content)) return []
    const parts = contentParts(content)
    const first = parts.findIndex((part) => callIn(part) !== null)
    const part = parts[first]
    if (part === undefined || isSigned(part)) return []
    return [
      {
        rule: 'missing_signature',
        path: `contents[${position}].parts[${first}]`,
        message: 'the first call of a step must carry the thoughtSignature that it came with',
      },
    ]
  })
}
