import { expect, it } from 'vitest'
import { LocalWorker } from './reference-worker.ts'
import { startWorker } from './start-worker.ts'

const impatient = { ticks: 3, tickMs: 10 }

it('waits for the worker to say that it has started', async () => {
  let started = false
  const worker = new LocalWorker((port) => {
    setTimeout(() => {
      started = true
      port.postMessage({ type: 'started' })
    }, 5)
  })
  expect(await startWorker(() => worker, impatient)).toBe(worker)
  expect([started, worker.terminated]).toEqual([true, false])
})

it('asks a worker that had said so before anyone listened', async () => {
  const worker = new LocalWorker((port) => {
    port.addEventListener('message', ({ data }) => {
      if (data.type === 'hello') port.postMessage({ type: 'started' })
    })
  })
  expect(await startWorker(worker, impatient)).toBe(worker)
})

it('terminates a worker that does not answer', async () => {
  const worker = new LocalWorker(() => undefined)
  await expect(startWorker(worker, impatient)).rejects.toThrow('did not answer')
  expect(worker.terminated).toBe(true)
})

it('takes no other message for the answer', async () => {
  const worker = new LocalWorker((port) => port.postMessage({ type: 'ready', engine: 'script' }))
  const starting = startWorker(worker, impatient)
  worker.dispatchEvent(new MessageEvent('message', { data: null }))
  await expect(starting).rejects.toThrow('did not answer')
})

it('terminates a worker that cannot be loaded, and says why', async () => {
  const worker = new LocalWorker(() => {
    worker.dispatchEvent(Object.assign(new Event('error', { cancelable: true }), { message: 'SyntaxError' }))
  })
  await expect(startWorker(() => worker, impatient)).rejects.toThrow('SyntaxError')
  expect(worker.terminated).toBe(true)
})

it('rejects with what the creation throws', async () => {
  const create = () => {
    throw new DOMException('blocked', 'SecurityError')
  }
  await expect(startWorker(create, impatient)).rejects.toThrow('blocked')
})
