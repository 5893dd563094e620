import type { FromWorker, Parcel, ToWorker, WasmUse } from './messages.ts'
import { OpenText } from './open-text.ts'
import { type StartedScript, startScript } from './start-script.ts'
import type { TextCounter } from './text-counter.ts'
import { createWasmCounter, type WasmSource } from './wasm-counter.ts'

/** UTF-16 units from which on a text is bulk: the script counter is done with less before WASM has copied it. */
const BULK = 4096

/** Building the WASM encoder takes about a second, in one piece: it waits until nothing was asked for so long. */
const IDLE_MS = 250

/** A worker's own end of its message channel. */
export interface WorkerPort {
  postMessage(message: FromWorker): void
  addEventListener(type: 'message', listener: (event: MessageEvent<ToWorker>) => void): void
}

/**
 * Serves counts in a worker. Each message is worked off in one piece, so jobs take turns parcel by parcel, and the
 * page decides how much a parcel is. What a counter throws is answered with `crashed`, never with a number.
 */
export function serveCounts(port: WorkerPort): void {
  const openTexts = new Map<number, OpenText>()
  let started: StartedScript | undefined
  let counter: TextCounter | undefined
  let build: (() => void) | undefined
  let idle: ReturnType<typeof setTimeout> | undefined

  port.addEventListener('message', ({ data }) => {
    try {
      receive(data)
    } catch (error) {
      port.postMessage({ type: 'crashed', reason: reasonOf(error) })
    }
  })
  port.postMessage({ type: 'started' })

  function receive(message: ToWorker): void {
    switch (message.type) {
      case 'hello':
        port.postMessage({ type: 'started' })
        return
      case 'ranks':
        started = startScript(message.ranks)
        counter = started.script
        port.postMessage({ type: 'ready', engine: 'script' })
        return
      case 'wasm':
        build = () => void addWasm(message.wasm, message.use)
        if (message.use === 'all') startBuild()
        else waitForIdle()
        return
      case 'count':
        count(message.job, message)
        waitForIdle()
        return
      case 'drop':
        openTexts.delete(message.job)
    }
  }

  function count(job: number, { texts, open }: Parcel): void {
    const engine = required(counter)
    const tokens: number[] = []
    texts.forEach((text, index) => {
      const goesOn = open && index === texts.length - 1
      const begun = openTexts.get(job)
      if (!begun && !goesOn) {
        tokens.push(engine.count(text))
        return
      }
      const openText = begun ?? new OpenText()
      openText.add(text, engine)
      if (goesOn) {
        openTexts.set(job, openText)
      } else {
        tokens.push(openText.close(engine))
        openTexts.delete(job)
      }
    })
    port.postMessage({ type: 'counted', job, tokens, held: openTexts.get(job)?.held ?? 0 })
  }

  function waitForIdle(): void {
    clearTimeout(idle)
    if (build) idle = setTimeout(startBuild, IDLE_MS)
  }

  function startBuild(): void {
    build?.()
    build = undefined
  }

  async function addWasm(wasm: WasmSource, use: WasmUse): Promise<void> {
    try {
      const { ranks, script } = required(started)
      const added = await createWasmCounter({ wasm, ranks, stretches: script })
      const least = use === 'all' ? 0 : BULK
      counter = { count: (text) => (text.length < least ? script : added).count(text) }
      port.postMessage({ type: 'ready', engine: 'wasm' })
    } catch (error) {
      port.postMessage({ type: 'wasm-failed', reason: reasonOf(error) })
    }
  }
}

function required<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('the page must send the ranks before anything else')
  return value
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
