import type { CopyProvenance, Entry } from '../record.ts'

/** A copy as an entry of the record: of its original's round and call. `chars` are those of what it shows. */
export function copyEntry(
  { callId, name, round }: Entry,
  { index, copy, chars }: { readonly index: number; readonly copy: CopyProvenance; readonly chars: number },
): Entry {
  return {
    index,
    kind: 'copy',
    key: '',
    round,
    copy,
    ...(callId === undefined ? {} : { callId }),
    ...(name === undefined ? {} : { name }),
    chars,
  }
}
