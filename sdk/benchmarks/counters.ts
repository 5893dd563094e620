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
  const results = await inTurns((engine) => ({ type: 'texts', engine }))
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
  const results = await inTurns((engine) => ({ type: 'start', engine }))
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
  const rows: Record<string, string | number>[] = []
  for (const engine of [SCRIPT, WASM]) {
    const { bytes, whole, pieces, ratio, different } = (await measure({ type: 'cold', engine })) ?? {}
    rows.push({
      engine,
      MB: rounded((bytes ?? Number.NaN) / MILLION, 1),
      'whole text, ms': rounded(whole),
      'cut and cached, ms': rounded(pieces),
      added: `${rounded(((ratio ?? Number.NaN) - 1) * 100)} %${different === 0 ? '' : ' wrong'}`,
    })
  }
  console.log(
    '\nA chat of mixed text, never counted before: what safe cuts and the cache add to the engine; processor time',
  )
  console.table(rows)
}

function rounded(value = Number.NaN, digits = 0): number {
  return Number(value.toFixed(digits))
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

/** Medians of each engine's measures, the engines taking turns. */
async function inTurns(jobFor: (engine: string) => CounterJob): Promise<Record<string, CounterMeasure>> {
  const rounds: Record<string, CounterMeasure>[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const results: Record<string, CounterMeasure> = {}
    for (const engine of engines) results[engine] = (await measure(jobFor(engine))) ?? {}
    rounds.push(results)
  }
  return Object.fromEntries(
    engines.map((engine) => [
      engine,
      mapValues(rounds[0]?.[engine] ?? {}, (_, name) => {
        const values = rounds.map((results) => results[engine]?.[name] ?? Number.NaN).sort((a, b) => a - b)
        return values[values.length >> 1] ?? Number.NaN
      }),
    ]),
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
