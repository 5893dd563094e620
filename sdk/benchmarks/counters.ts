import { fork } from 'node:child_process'
import { join } from 'node:path'
import { runs, texts } from './counted-texts.ts'
import { countingEngines, SCRIPT, WASM } from './counting-engines.ts'
import type { CounterJob, CounterMeasure } from './measure-counter.ts'

/**
 * Our script counter against the tokenizers on npm, and what safe cuts and the cache add to the engine that counts:
 * `npm run bench:counters`, or `... -- texts`, `start`, `cold` or `worst` for one of the tables. Each measurement has a process of its own; engines take turns, and medians are shown.
 */
const ROUNDS = 3
/** Milliseconds that a process has for loading a counter and counting a run. */
const PATIENCE = 8_000
const UNITS = 100_000
const MILLION = 1_000_000

const engines = Object.keys(countingEngines)

const tables = { texts: compareTexts, start: compareStarts, cold: compareCold, worst: compareRuns }

async function compareTexts(): Promise<void> {
  const results = await inTurns(forEach(engines, (engine) => ({ type: 'texts', engine })))
  for (const state of ['cold', 'warm']) {
    const rows = engines.map((engine) => {
      const speeds = Object.keys(texts).map((kind) => {
        const { [`${kind} ${state}`]: own = Number.NaN, [`${kind} tokens`]: tokens } = results[SCRIPT] ?? {}
        const result = results[engine] ?? {}
        const time = result[`${kind} ${state}`] ?? Number.NaN
        const speed = ((result[`${kind} bytes`] ?? Number.NaN) / time / 1000).toFixed(1)
        const ratio = engine === SCRIPT ? '' : ` (${(time / own).toFixed(1)}x)`
        return [kind, `${speed}${ratio}${result[`${kind} tokens`] === tokens ? '' : ' wrong'}`]
      })
      return { engine, ...Object.fromEntries(speeds) }
    })
    console.log(`\nSpeed in MB/s, ${state}; in brackets how many times faster the script counter is`)
    console.table(rows)
  }
}

async function compareStarts(): Promise<void> {
  const results = await inTurns(forEach(engines, (engine) => ({ type: 'start', engine })))
  console.log(
    '\nA fresh process: milliseconds to load, for the first count of 1 MB of code JSON, and the second',
  )
  console.table(
    engines.map((engine) => ({
      engine,
      ...mapValues(results[engine] ?? {}, (time) => Math.round(time)),
    })),
  )
}

async function compareCold(): Promise<void> {
  const counters = [SCRIPT, WASM]
  const inPieces = (engine: string): string => `${engine} in pieces`
  const results = await inTurns({
    ...forEach(counters, (engine) => ({ type: 'cold', engine, pieces: false })),
    ...forEach(counters, (engine) => ({ type: 'cold', engine, pieces: true }), inPieces),
  })
  const rows = counters.map((engine) => {
    const { time = Number.NaN, bytes = Number.NaN, tokens } = results[engine] ?? {}
    const { time: cutTime = Number.NaN, tokens: cutTokens } = results[inPieces(engine)] ?? {}
    return {
      engine,
      MB: (bytes / MILLION).toFixed(1),
      'whole text, ms': Math.round(time),
      'cut and cached, ms': Math.round(cutTime),
      added: `${Math.round((cutTime / time - 1) * 100)} %${cutTokens === tokens ? '' : ' wrong'}`,
    }
  })
  console.log('\nA chat of mixed text, never counted before: what safe cuts and the cache add to the engine')
  console.table(rows)
}

async function compareRuns(): Promise<void> {
  console.log(
    `\nRuns without a place to cut: milliseconds for ${UNITS} units, and for ${MILLION} by the script counter`,
  )
  const rows: Record<string, string>[] = []
  for (const run of Object.keys(runs)) {
    const row: Record<string, string> = { run }
    const own = await measure({ type: 'run', engine: SCRIPT, run, units: MILLION })
    row[`${SCRIPT}, ${MILLION}`] = own?.time?.toFixed(0) ?? 'failed'
    let tokens: number | undefined
    for (const engine of engines) {
      const result = await measure({ type: 'run', engine, run, units: UNITS })
      tokens ??= result?.tokens
      row[engine] = result ? `${result.time?.toFixed(0)}${result.tokens === tokens ? '' : ' wrong'}` : '-'
    }
    rows.push(row)
  }
  console.table(rows)
  console.log(`-: failed, or not done ${PATIENCE / 1000} s after the start of its process`)
}

/** Medians of what each job measures, the jobs taking turns. */
async function inTurns(jobs: Readonly<Record<string, CounterJob>>): Promise<Record<string, CounterMeasure>> {
  const rounds: Record<string, CounterMeasure>[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const results: Record<string, CounterMeasure> = {}
    for (const [name, job] of Object.entries(jobs)) results[name] = (await measure(job)) ?? {}
    rounds.push(results)
  }
  return mapValues(jobs, (_, name) =>
    mapValues(rounds[0]?.[name] ?? {}, (__, figure) => {
      const values = rounds.map((results) => results[name]?.[figure] ?? Number.NaN).sort((a, b) => a - b)
      return values[values.length >> 1] ?? Number.NaN
    }),
  )
}

/** Undefined where the process failed, or its patience for a run was used up. */
function measure(job: CounterJob): Promise<CounterMeasure | undefined> {
  return new Promise((resolve) => {
    const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const
    const child = fork(join(import.meta.dirname, 'measure-counter.ts'), { stdio: [...stdio] })
    const watchdog = job.type === 'run' ? setTimeout(() => child.kill('SIGKILL'), PATIENCE) : undefined
    child.once('message', (result: CounterMeasure) => resolve(result))
    child.once('exit', () => {
      clearTimeout(watchdog)
      resolve(undefined)
    })
    child.send(job)
  })
}

function forEach(
  engines: readonly string[],
  job: (engine: string) => CounterJob,
  name: (engine: string) => string = (engine) => engine,
): Readonly<Record<string, CounterJob>> {
  return Object.fromEntries(engines.map((engine) => [name(engine), job(engine)]))
}

function mapValues<Value, Mapped>(
  record: Readonly<Record<string, Value>>,
  map: (value: Value, key: string) => Mapped,
): Record<string, Mapped> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value, key)]))
}

const chosen = process.argv.slice(2)
for (const [name, compare] of Object.entries(tables)) {
  if (chosen.length === 0 || chosen.includes(name)) await compare()
}
