import type { NativeMessage, Segment, WireFormat } from './format.ts'

interface Taken {
  readonly wire: WireFormat
  readonly segments: readonly Segment[]
}

/** By the engine's own copies. */
const takenSegments = new WeakMap<object, Taken>()

/** Keeps what was read of a message when it was taken in, so that it need not be read again to be measured. */
export function keepSegments(snapshot: NativeMessage, taken: Taken): void {
  if (isKey(snapshot)) takenSegments.set(snapshot, taken)
}

/** Counted text of a message. Media cost each model differently, so a message that has some is read for its model. */
export function segmentsOf(
  snapshot: NativeMessage,
  { wire, model }: { readonly wire: WireFormat; readonly model: string | undefined },
): readonly Segment[] {
  const taken = isKey(snapshot) ? takenSegments.get(snapshot) : undefined
  return taken?.wire === wire && taken.segments.every(({ media }) => media === undefined)
    ? taken.segments
    : wire.readMessage(snapshot, { model }).segments
}

function isKey(value: NativeMessage): value is NativeMessage & object {
  return typeof value === 'object' && value !== null
}
