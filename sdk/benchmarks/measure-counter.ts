import { measureCold } from './cold-count.ts'
import { runs, texts } from './counted-texts.ts'
import { type Count, countingEngines } from './counting-engines.ts'

/** What one process is asked to measure, alone, so that no engine warms or slows another one. */
export type CounterJob =
  | { readonly type: 'texts'; readonly engine: string }
  | { readonly type: 'start'; readonly engine: string }
  | { readonly type: 'cold'; readonly engine: string }
  | { readonly type: 'run'; readonly engine: string; readonly run: string; readonly units: number }

/** Milliseconds by name, and the tokens and bytes of what was counted. */
export type CounterMeasure = Readonly<Record<string, number>>

/** Milliseconds after which a warm count is not repeated. */
const ENOUGH = 500

process.on('message', async (job: CounterJob) => {
  process.send?.(await measure(job))
  process.disconnect()
})

async function measure(job: CounterJob): Promise<CounterMeasure> {
  if (job.type === 'cold') return measureCold(job.engine)
  const load = countingEngines[job.engine]
  if (!load) throw new Error(`Expected a counting engine, got ${job.engine}.`)
  const before = performance.now()
  const count = await load()
  const init = performance.now() - before

  switch (job.type) {
    case 'start': {
      const text = texts['code JSON']?.() ?? ''
      return { init, first: timed(count, text).time, second: timed(count, text).time }
    }
    case 'run':
      return timed(count, runs[job.run]?.(job.units) ?? '')
    case 'texts':
      return Object.fromEntries(
        Object.entries(texts).flatMap(([kind, make]) => coldAndWarm(count, kind, make())),
      )
  }
}

function coldAndWarm(count: Count, kind: string, text: string): readonly (readonly [string, number])[] {
  const [warmUp, measured] = [text.slice(0, text.length / 2), text.slice(text.length / 2)]
  // Warms the code, but not the caches, which have not seen what is measured.
  for (let spent = 0; spent < ENOUGH; spent += timed(count, warmUp).time);
  const { tokens, time: cold } = timed(count, measured)
  const warm: number[] = []
  for (let spent = 0; spent < ENOUGH || warm.length < 3; spent += warm.at(-1) ?? 0) {
    warm.push(timed(count, measured).time)
  }
  warm.sort((a, b) => a - b)
  return [
    [`${kind} bytes`, Buffer.byteLength(measured)],
    [`${kind} tokens`, tokens],
    [`${kind} cold`, cold],
    [`${kind} warm`, warm[warm.length >> 1] ?? Number.NaN],
  ]
}

function timed(count: Count, text: string): { readonly tokens: number; readonly time: number } {
  const start = performance.now()
  const tokens = count(text)
  return { tokens, time: performance.now() - start }
}
