import { runs, texts } from './counted-texts.ts'
import { countingEngines } from './counting-engines.ts'

/** What one process is asked to measure, alone, so that no engine warms or slows another one. */
export type CounterJob =
  | { readonly type: 'texts'; readonly engine: string }
  | { readonly type: 'start'; readonly engine: string }
  | { readonly type: 'run'; readonly engine: string; readonly run: string; readonly units: number }

/** Milliseconds by name, and tokens where one text was counted. */
export type CounterMeasure = Readonly<Record<string, number>>

/** Milliseconds after which a warm count is not repeated. */
const ENOUGH = 500

process.on('message', async (job: CounterJob) => {
  process.send?.(await measure(job))
  process.disconnect()
})

async function measure(job: CounterJob): Promise<CounterMeasure> {
  const load = countingEngines[job.engine]
  if (!load) throw new Error(`Expected a counting engine, got ${job.engine}.`)
  const before = performance.now()
  const count = await load()
  const init = performance.now() - before
  const timed = (text: string) => {
    const start = performance.now()
    const tokens = count(text)
    return { tokens, time: performance.now() - start }
  }

  switch (job.type) {
    case 'start': {
      const text = texts['code JSON']?.() ?? ''
      return { init, first: timed(text).time, second: timed(text).time }
    }
    case 'run': {
      const { tokens, time } = timed(runs[job.run]?.(job.units) ?? '')
      return { tokens, time }
    }
    case 'texts':
      return Object.fromEntries(
        Object.entries(texts).flatMap(([kind, make]) => {
          const text = make()
          const half = text.length / 2
          // The first half warms the code and not the caches, which have not seen the second.
          for (let warming = 0; warming < ENOUGH; warming += timed(text.slice(0, half)).time);
          const { tokens, time: cold } = timed(text.slice(half))
          const warm: number[] = []
          for (let spent = 0; spent < ENOUGH || warm.length < 3; spent += warm.at(-1) ?? 0) {
            warm.push(timed(text.slice(half)).time)
          }
          warm.sort((a, b) => a - b)
          return [
            [`${kind} tokens`, tokens],
            [`${kind} cold`, cold],
            [`${kind} warm`, warm[warm.length >> 1] ?? 0],
          ]
        }),
      )
  }
}
