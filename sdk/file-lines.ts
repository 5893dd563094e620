import { importFault } from './import-fault.ts'
import type { PortableProgress } from './portable-file.ts'
import { throwIfAborted } from './prepare-options.ts'

/** One line holds one body at the most, and no provider takes a larger message. */
const MOST_CHARS = 256_000_000

/** The lines of a file as they are read, with their place from 1 on. Rejects for what is no UTF-8 text. */
export async function* fileLines(
  file: Blob,
  options: { readonly signal?: AbortSignal; readonly onProgress?: (progress: PortableProgress) => void },
): AsyncGenerator<{ readonly text: string; readonly place: number }> {
  const { signal, onProgress } = options
  const reader = file.stream().getReader()
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let rest: string[] = []
  let restChars = 0
  let bytes = 0
  let place = 0
  try {
    for (;;) {
      throwIfAborted(signal)
      const { done, value } = await reader.read()
      const [first = '', ...others] = decoded(decoder, done ? undefined : value, place + 1).split('\n')
      rest.push(first)
      restChars += first.length
      if (restChars > MOST_CHARS) throw importFault('shorter lines', 'one that is too long', place + 1)
      for (const next of others) {
        yield { text: rest.join(''), place: ++place }
        rest = [next]
        restChars = next.length
      }
      if (done) break
      bytes += value.length
      onProgress?.({ bytes, of: file.size })
    }
    const last = rest.join('')
    if (last !== '') yield { text: last, place: ++place }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function decoded(decoder: TextDecoder, bytes: Uint8Array | undefined, place: number): string {
  try {
    return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
  } catch {
    throw importFault('UTF-8 text', 'other bytes', place)
  }
}
