import { expect, it } from 'vitest'
import { readFile } from './read-file.ts'

it('joins characters that stand across two pieces, and says how far it is', async () => {
  const bytes = new TextEncoder().encode('Skarvøy 海')
  const pieces = [bytes.slice(0, 6), bytes.slice(6, 10), bytes.slice(10)]
  const file = new File([], 'pieces')
  file.stream = () =>
    new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(piece)
        controller.close()
      },
    })
  const seen: number[] = []
  const text = await readFile(file, {
    signal: new AbortController().signal,
    onProgress: (loaded) => seen.push(loaded),
  })
  expect(text).toBe('Skarvøy 海')
  expect(seen).toEqual([6, 10, bytes.length])
})

it('stops between two pieces', async () => {
  const stop = new AbortController()
  const file = new File(['x'.repeat(1_000_000)], 'long')
  const reading = readFile(file, { signal: stop.signal, onProgress: () => stop.abort() })
  await expect(reading).rejects.toThrow(/abort/i)
})
