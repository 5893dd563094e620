import type { CompiledItem, NativeMessage, WireMessage } from '../engine/format.ts'

/** A message that is written anew: what is handed over and what is measured are two values, for apps change theirs. */
export function writtenMessage(write: () => NativeMessage, indexes: readonly number[]): WireMessage {
  return { native: write(), snapshot: write(), indexes }
}

/** A note as a message of its own; one without an index belongs to no entry. */
export function noteMessage(write: () => NativeMessage, index: number | null): WireMessage {
  return writtenMessage(write, index === null ? [] : [index])
}

/** Record index of each draft that a cut message reads as: an answer reads as one even where only calls are left. */
export function keptIndexes(
  { kept, indexes }: Pick<CompiledItem & { readonly type: 'message' }, 'kept' | 'indexes'>,
  isAnswer: boolean,
): readonly number[] {
  const ordinals = isAnswer ? [0, ...kept.filter((ordinal) => ordinal > 0)] : kept
  return ordinals.flatMap((ordinal) => indexes[ordinal] ?? [])
}
