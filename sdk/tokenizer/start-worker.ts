import type { FromWorker, ToWorker } from './messages.ts'
import { type Patience, Watchdog } from './watchdog.ts'

export type WorkerGiven = Worker | (() => Worker)

const PATIENCE: Patience = { ticks: 5, tickMs: 1000 }

/**
 * Starts the counting worker and resolves when it has answered. Without a worker of the app's own it is tried from
 * a blob, which works behind every bundler and from another origin, and then from its own file, which works where
 * a page's policy forbids blobs. Rejects with what the last one failed of.
 */
export async function startWorker(given?: WorkerGiven, patience = PATIENCE): Promise<Worker> {
  let failure: unknown
  for (const create of given
    ? [() => (typeof given === 'function' ? given() : given)]
    : [fromBlob, fromFile]) {
    try {
      return await answering(await create(), patience)
    } catch (cause) {
      failure = cause
    }
  }
  throw failure
}

async function fromBlob(): Promise<Worker> {
  const { default: BlobWorker } = await import('./worker.ts?worker&inline')
  return new BlobWorker({ name: 'dogear tokenizer' })
}

async function fromFile(): Promise<Worker> {
  const { default: url } = await import('./worker.ts?worker&url')
  return new Worker(url, { type: 'module', name: 'dogear tokenizer' })
}

function answering(worker: Worker, patience: Patience): Promise<Worker> {
  return new Promise((resolve, reject) => {
    const watchdog = new Watchdog({
      patience,
      onSilence: () => fail(new Error('the worker did not answer')),
    })
    const finish = (): void => {
      watchdog.stop()
      worker.removeEventListener('message', onMessage)
      worker.removeEventListener('error', onError)
    }
    const fail = (cause: unknown): void => {
      finish()
      worker.terminate()
      reject(cause)
    }
    const onMessage = ({ data }: MessageEvent<FromWorker | undefined>): void => {
      if (data?.type !== 'started') return
      finish()
      resolve(worker)
    }
    const onError = (event: ErrorEvent): void => {
      event.preventDefault()
      fail(new Error(`the worker could not be started: ${event.message || 'blocked, or not found'}`))
    }
    worker.addEventListener('message', onMessage)
    worker.addEventListener('error', onError)
    watchdog.watch()
    worker.postMessage({ type: 'hello' } satisfies ToWorker)
  })
}
