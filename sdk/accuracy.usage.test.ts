import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { anchoredFactor, estimateNumber, initialScale, raiseScale } from './engine/scale.ts'
import { playRecorded, type RecordedEstimate } from './testing/play-recorded.ts'
import {
  callsAround,
  conversationsOf,
  type RecordedCall,
  type RecordedGrowth,
  readCall,
} from './testing/recorded-calls.ts'
import { scriptTokenCounter } from './testing/script-token-counter.ts'

const folder = join(process.env.DOGEAR_SHARED ?? '', 'data', 'usage')
const growthFile = 'deltas-anthropic-claude-code.jsonl'

const counter = await scriptTokenCounter()
const recorded = readdirSync(folder)
  .filter((file) => file !== growthFile && !file.includes('count-tokens'))
  .flatMap((file) => readLines<RecordedCall>(file))
const calls = recorded.map(readCall).filter((call) => call !== undefined)
const growths = readLines<RecordedGrowth>(growthFile).toSorted(
  (left, right) =>
    left.source.localeCompare(right.source) || left.prev_input_tokens - right.prev_input_tokens,
)

const conversations: RecordedEstimate[] = []
for (const conversation of conversationsOf(calls))
  conversations.push(...(await playRecorded(conversation, counter)))
const sessions = new Map<string, RecordedEstimate[]>()
for (const growth of growths) {
  const around = callsAround(growth)
    .map(readCall)
    .filter((call) => call !== undefined)
  sessions.set(growth.source, [
    ...(sessions.get(growth.source) ?? []),
    ...(await playRecorded(around, counter)).slice(1),
  ])
}

const first = conversations.filter(({ method, excluded }) => method === 'counted' && excluded === undefined)
const pairs = [...conversations, ...[...sessions.values()].flat()].filter(({ extended }) => extended)
const evaluated = pairs.filter(({ excluded }) => excluded === undefined)
const learned = [...sessions.values()].flatMap(withLearnedScale)

function readLines<Row>(file: string): readonly Row[] {
  const lines = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n')
  return lines.map((line): Row => JSON.parse(line))
}

/**
 * The growths of one session with the scale that its earlier ones teach. The whole requests were not recorded,
 * so each growth of enough tokens stands for one.
 */
function withLearnedScale(session: readonly RecordedEstimate[]): readonly RecordedEstimate[] {
  let scale = initialScale
  return session.flatMap((estimate) => {
    const { counted, reported, extended, excluded } = estimate
    if (!extended) return []
    const factor = anchoredFactor({
      reported: extended.reported,
      countedThen: extended.counted,
      countedNow: counted,
      scale,
    })
    const error = (estimateNumber({ counted, factor }) - reported) / reported
    const isLearned = scale !== initialScale
    scale = raiseScale(scale, { reported: reported - extended.reported, counted: counted - extended.counted })
    return isLearned && excluded === undefined ? [{ ...estimate, error }] : []
  })
}

function percentile(estimates: readonly RecordedEstimate[], share: number): number {
  const errors = estimates.map(({ error }) => Math.abs(error)).toSorted((left, right) => left - right)
  return errors[Math.ceil(errors.length * share) - 1] ?? Number.NaN
}

function mostUnder(estimates: readonly RecordedEstimate[]): number {
  return Math.max(0, ...estimates.map(({ error }) => -error))
}

function of(provider: string, estimates: readonly RecordedEstimate[]): readonly RecordedEstimate[] {
  return estimates.filter((estimate) => estimate.provider === provider)
}

function row(name: string, estimates: readonly RecordedEstimate[]): string {
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`.padStart(9)
  const figures = [percentile(estimates, 0.5), percentile(estimates, 0.95), mostUnder(estimates)].map(percent)
  return `  ${name.padEnd(60)}${String(estimates.length).padStart(5)}${estimates.length === 0 ? '' : figures.join('')}`
}

function rows(title: string, groups: ReadonlyMap<string, readonly RecordedEstimate[]>): readonly string[] {
  return [
    '',
    `${title.padEnd(62)}    n   median     95th    under`,
    ...[...groups].map(([name, all]) => row(name, all)),
  ]
}

function by(key: (estimate: RecordedEstimate) => string, estimates: readonly RecordedEstimate[]) {
  const groups = new Map<string, RecordedEstimate[]>()
  for (const estimate of estimates)
    groups.set(key(estimate), [...(groups.get(key(estimate)) ?? []), estimate])
  return groups
}

afterAll(() => {
  const lines = [
    ...rows(
      'first estimate, as a share of the reported input',
      by(({ provider }) => provider, first),
    ),
    ...rows(
      'first estimate of 1,000 tokens and more',
      by(
        ({ provider }) => provider,
        first.filter(({ reported }) => reported >= 1000),
      ),
    ),
    ...rows(
      'anchored estimate',
      by(({ provider }) => provider, evaluated),
    ),
    ...rows(
      'anchored estimate, with a scale that was learned',
      by(({ provider }) => provider, learned),
    ),
    ...rows(
      'anchored, but not held to it',
      by(
        ({ excluded = '' }) => excluded,
        pairs.filter(({ excluded }) => excluded !== undefined),
      ),
    ),
    '',
    `calls in formats that are not read: ${recorded.length - calls.length} of ${recorded.length}`,
  ]
  process.stdout.write(`${lines.join('\n')}\n\n`)
})

describe('the reported input', () => {
  it('[R24, R32, R38] is read from every recorded usage', () => {
    for (const { call, wire } of calls) {
      const usage = wire.readUsage({ usage: call.usage })
      if (usage?.isTotal) continue
      expect([call.source, usage?.input]).toEqual([call.source, call.input_tokens])
    }
  })
})

describe('the anchored estimate of a call that only appends text', () => {
  it('is there for every recorded pair', () => {
    expect(new Set(evaluated.map(({ method }) => method))).toEqual(new Set(['anchored']))
    expect(of('anthropic', evaluated).length).toBeGreaterThanOrEqual(100)
    expect(of('openai', evaluated).length).toBeGreaterThanOrEqual(20)
  })

  it('is within 2 % of the reported input at the 95th percentile', () => {
    expect(percentile(evaluated, 0.95)).toBeLessThan(0.02)
    expect(percentile(of('anthropic', evaluated), 0.95)).toBeLessThan(0.02)
    expect(percentile(of('openai', evaluated), 0.95)).toBeLessThan(0.02)
  })

  it('is never under by more than 3 %, learned scale or not', () => {
    expect(mostUnder(evaluated)).toBeLessThan(0.03)
  })

  it('[R31] is never under by more than 3 % once the scale has been learned', () => {
    expect(learned.length).toBeGreaterThan(20)
    expect(mostUnder(learned)).toBeLessThan(0.03)
    expect(percentile(learned, 0.95)).toBeLessThan(0.02)
  })
})
