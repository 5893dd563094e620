import { fork } from 'node:child_process'
import { join } from 'node:path'
import { runs, texts } from './counted-texts.ts'
import { countingEngines, SCRIPT } from './counting-engines.ts'
import type { CounterJob, CounterMeasure } from './measure-counter.ts'

/**
 * Our script counter against the tokenizers on npm: `npm run bench:counters`, or `... -- texts`, `start` or `worst`
 * for one of the tables. Each measurement has a process of its own; engines take turns, and medians are shown.
 */
const ROUNDS = 3
/** Milliseconds that a count of a run may take. */
const PATIENCE = 5_000
const UNITS = 100_000
const MILLION = 1_000_000

const engines = Object.keys(countingEngines)

const tables = { texts: compareTexts, start: compareStarts, worst: compareRuns }

async function compareTexts(): Promise<void> {
  const results = await inTurns((engine) => ({ type: 'texts', engine }))
  for (const state of ['cold', 'warm']) {
    const rows = engines.map((engine) => ({
      [`MB/s, ${state}`]: engine,
      ...Object.fromEntries(
        Object.keys(texts).map((kind) => {
          const own = results[SCRIPT]?.[`${kind} ${state}`] ?? Number.NaN
          const time = results[engine]?.[`${kind} ${state}`] ?? Number.NaN
          const isWrong = results[engine]?.[`${kind} tokens`] !== results[SCRIPT]?.[`${kind} tokens`]
          const speed = `${(MILLION / 2 / time / 1000).toFixed(1)}${isWrong ? ' wrong' : ''}`
          return [kind, engine === SCRIPT ? speed : `${speed} (${(time / own).toFixed(1)}x)`]
        }),
      ),
    }))
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

async function compareRuns(): Promise<void> {
  console.log(
    `\nRuns without a place to cut: milliseconds for ${UNITS} units, and for ${MILLION} by the script counter`,
  )
  const rows: Record<string, string>[] = []
  for (const run of Object.keys(runs)) {
    const row: Record<string, string> = { run }
    const own = await measure({ type: 'run', engine: SCRIPT, run, units: MILLION }, PATIENCE)
    row[`${SCRIPT}, ${MILLION}`] = own?.time?.toFixed(0) ?? 'failed'
    let tokens: number | undefined
    for (const engine of engines) {
      const result = await measure({ type: 'run', engine, run, units: UNITS }, PATIENCE)
      tokens ??= result?.tokens
      row[engine] = result ? `${result.time?.toFixed(0)}${result.tokens === tokens ? '' : ' wrong'}` : '-'
    }
    rows.push(row)
  }
  console.table(rows)
  console.log(`-: failed, or not done within ${PATIENCE / 1000} s.`)
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

/** Undefined where the process failed or its patience was used up. */
function measure(job: CounterJob, patience?: number): Promise<CounterMeasure | undefined> {
  return new Promise((resolve) => {
    const child = fork(join(import.meta.dirname, 'measure-counter.ts'), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    // Loading is not part of the count: the slowest engine takes two seconds for it.
    const watchdog =
      patience === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), patience + 3_000)
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
