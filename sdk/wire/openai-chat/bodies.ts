import type { BodyTexts, NativeMessage } from '../../engine/format.ts'
import { isObject } from '../../engine/json.ts'
import type { TextBody } from '../../engine/readable-text.ts'
import { isOnlyRead } from '../readable-content.ts'
import { contentBodies, replaceContentBodies } from '../result-bodies.ts'

/** A message with a result is that one result, at ordinal 0. */
export function resultBodies(snapshot: NativeMessage): ReadonlyMap<number, readonly TextBody[]> {
  if (!isObject(snapshot) || (snapshot.role !== 'tool' && snapshot.role !== 'function')) return new Map()
  return new Map([[0, contentBodies(snapshot.content)]])
}

export function replaceBodies(snapshot: NativeMessage, texts: BodyTexts): NativeMessage {
  const own = texts.get(0)
  if (!isObject(snapshot) || own === undefined) return snapshot
  return { ...snapshot, content: replaceContentBodies(snapshot.content, own) }
}

export function clearResult(snapshot: NativeMessage, draft: number, text: string): NativeMessage | null {
  if (!isObject(snapshot) || !resultBodies(snapshot).has(draft) || !isOnlyRead(snapshot.content)) return null
  return { ...snapshot, content: text }
}
