import type { FromWorker, ToWorker } from './messages.ts'
import type { WorkerPort } from './worker-host.ts'

/** A worker without a thread of its own: what it runs is given, messages are copied and come in tasks of their own. */
export class LocalWorker extends EventTarget implements Worker {
  onmessage: ((this: Worker, event: MessageEvent) => void) | null = null
  onmessageerror: ((this: Worker, event: MessageEvent) => void) | null = null
  onerror: ((this: AbstractWorker, event: ErrorEvent) => void) | null = null
  readonly received: ToWorker[] = []
  terminated = false
  readonly #listeners: ((event: MessageEvent<ToWorker>) => void)[] = []

  constructor(run: (port: WorkerPort) => void) {
    super()
    const port: WorkerPort = {
      postMessage: (message) => this.#later(() => this.#tell(message)),
      addEventListener: (_, listener) => void this.#listeners.push(listener),
    }
    this.#later(() => run(port))
  }

  postMessage(message: ToWorker): void {
    const data = structuredClone(message)
    this.#later(() => {
      this.received.push(data)
      for (const listener of this.#listeners) listener(new MessageEvent('message', { data }))
    })
  }

  terminate(): void {
    this.terminated = true
  }

  #tell(message: FromWorker): void {
    const event = new MessageEvent('message', { data: structuredClone(message) })
    this.dispatchEvent(event)
    this.onmessage?.(event)
  }

  #later(task: () => void): void {
    setTimeout(() => {
      if (!this.terminated) task()
    })
  }
}

/** A worker that starts and is ready, and does with a count what it is told. */
export function scriptedWorker(
  onCount: (port: WorkerPort, message: ToWorker & { readonly type: 'count' }) => void,
): LocalWorker {
  return new LocalWorker((port) => {
    port.addEventListener('message', ({ data }) => {
      if (data.type === 'hello') port.postMessage({ type: 'started' })
      if (data.type === 'ranks') port.postMessage({ type: 'ready', engine: 'script' })
      if (data.type === 'wasm') port.postMessage({ type: 'ready', engine: 'wasm' })
      if (data.type === 'count') onCount(port, data)
    })
  })
}
