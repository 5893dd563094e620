export interface ReadFileOptions {
  readonly signal: AbortSignal
  /** Bytes so far. */
  readonly onProgress: (loaded: number) => void
}

/** Text of a file, read piece by piece so that progress can be shown and the reading stopped. */
export async function readFile(file: File, { signal, onProgress }: ReadFileOptions): Promise<string> {
  const decoder = new TextDecoder()
  const reader = file.stream().getReader()
  const pieces: string[] = []
  let loaded = 0
  try {
    for (;;) {
      signal.throwIfAborted()
      const { done, value } = await reader.read()
      if (done) break
      pieces.push(decoder.decode(value, { stream: true }))
      loaded += value.byteLength
      onProgress(loaded)
    }
  } finally {
    reader.releaseLock()
  }
  return pieces.join('') + decoder.decode()
}
