import type { BodyTexts, NativeMessage } from '../../engine/format.ts'
import { isObject } from '../../engine/json.ts'
import type { TextBody } from '../../engine/readable-text.ts'
import { partOwners } from './entries.ts'
import { clearedOutput, outputBodies, replaceOutputBodies } from './output.ts'
import { contentParts, isToolResult, withParts } from './parts.ts'

/** Results of the provider's own tools are part of an answer, and stand as they are. */
export function resultBodies(snapshot: NativeMessage): ReadonlyMap<number, readonly TextBody[]> {
  if (!isObject(snapshot) || snapshot.role === 'assistant') return new Map()
  const owners = partOwners(snapshot).parts
  return new Map(
    contentParts(snapshot).flatMap((part, position) =>
      isToolResult(part) ? [[owners[position] ?? -1, outputBodies(part.output)] as const] : [],
    ),
  )
}

export function replaceBodies(snapshot: NativeMessage, texts: BodyTexts): NativeMessage {
  if (!isObject(snapshot)) return snapshot
  const owners = partOwners(snapshot).parts
  const parts = contentParts(snapshot).map((part, position) => {
    const own = texts.get(owners[position] ?? -1)
    return own && isToolResult(part) && part.output !== undefined
      ? { ...part, output: replaceOutputBodies(part.output, own) }
      : part
  })
  return withParts(snapshot, parts)
}

export function clearResult(snapshot: NativeMessage, draft: number, text: string): NativeMessage | null {
  if (!isObject(snapshot) || snapshot.role === 'assistant') return null
  const parts = contentParts(snapshot)
  const owners = partOwners(snapshot).parts
  const position = parts.findIndex((part, place) => owners[place] === draft && isToolResult(part))
  const part = parts[position]
  if (!isObject(part)) return null
  const output = clearedOutput(part.output, text)
  return output === null ? null : withParts(snapshot, parts.with(position, { ...part, output }))
}
