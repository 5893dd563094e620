/** A stream of chunks, each in a task of its own; one that breaks ends with an error after them. */
export function answerStream(
  chunks: readonly string[],
  breaks = false,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const encoder = new TextEncoder()
  let next = 0
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, 0))
      const chunk = chunks[next++]
      if (chunk !== undefined) controller.enqueue(encoder.encode(chunk))
      else if (breaks) controller.error(new Error('the connection was lost'))
      else controller.close()
    },
  })
}
