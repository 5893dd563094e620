import type { BodyTexts, NativeMessage } from '../../engine/format.ts'
import { isObject } from '../../engine/json.ts'
import type { TextBody } from '../../engine/readable-text.ts'
import { isOnlyRead } from '../readable-content.ts'
import { contentBodies, replaceContentBodies } from '../result-bodies.ts'
import { isResult } from './items.ts'

/** A message with a result is that one item, at ordinal 0. */
export function resultBodies(snapshot: NativeMessage): ReadonlyMap<number, readonly TextBody[]> {
  if (!isObject(snapshot) || !isResult(snapshot)) return new Map()
  return new Map([[0, contentBodies(snapshot.output)]])
}

export function replaceBodies(snapshot: NativeMessage, texts: BodyTexts): NativeMessage {
  const own = texts.get(0)
  if (!isObject(snapshot) || own === undefined) return snapshot
  return { ...snapshot, output: replaceContentBodies(snapshot.output, own) }
}

export function clearResult(snapshot: NativeMessage, draft: number, text: string): NativeMessage | null {
  if (!isObject(snapshot) || !resultBodies(snapshot).has(draft) || !isOnlyRead(snapshot.output)) return null
  return { ...snapshot, output: text }
}
