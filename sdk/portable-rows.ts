import * as v from 'valibot'
import { entryKinds } from './row-checks.ts'

/**
 * What the rows of a portable file must be, whoever wrote it. Keys that are not named here are dropped, so that nothing
 * comes into the database that nobody looks at; what a journal holds is shown and never decided by, and stays whole.
 */

const text = v.string()
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
const round = v.pipe(v.number(), v.safeInteger(), v.minValue(-1))
const amount = v.pipe(v.number(), v.finite(), v.minValue(0))
const indexes = v.array(count)
const scale = v.object({ reported: amount, counted: amount })
const flag = v.literal(true)
const formats = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ai-sdk'] as const

const parts = [
  'system',
  'tools',
  'instruction',
  'answer',
  'call',
  'result',
  'note',
  'media',
  'other',
] as const
const reasons = [
  'over_ceiling',
  'nothing_to_fold',
  'no_context_tool',
  'bounded_run',
  'remote_history',
  'result_over_bound',
  'remote_unmeasured',
] as const

const branch = v.object({
  id: v.pipe(text, v.minLength(1), v.maxLength(1_000)),
  createdAt: amount,
  updatedAt: amount,
  lineId: text,
  policy: v.record(text, v.unknown()),
  format: v.exactOptional(v.picklist(formats)),
  model: v.exactOptional(text),
  provider: v.exactOptional(text),
  entryCount: count,
  bytes: count,
  sequence: count,
  responses: v.exactOptional(v.record(text, amount)),
  responseTools: v.exactOptional(v.record(text, amount)),
  scales: v.record(text, scale),
})

const refusal = v.object({
  first: v.object({
    requestId: text,
    estimate: amount,
    ceiling: v.nullable(amount),
    counted: amount,
    scale: amount,
    largestParts: v.array(v.object({ part: v.picklist(parts), tokens: amount, entries: count })),
    reason: v.picklist(reasons),
    warnings: v.exactOptional(v.array(v.object({ code: text, message: text }))),
  }),
  asked: text,
  listEntries: count,
})

const line = v.object({
  lineId: text,
  parent: v.exactOptional(v.object({ lineId: text, index: count })),
  view: indexes,
  delivered: v.exactOptional(indexes),
  carried: indexes,
  window: v.object({ from: count, to: count }),
  anchor: v.exactOptional(v.object({ model: text, reported: amount, counted: amount, items: v.array(text) })),
  pinned: v.exactOptional(indexes),
  recovered: v.exactOptional(indexes),
  firstRound: v.exactOptional(
    v.object({
      included: v.boolean(),
      members: indexes,
      hash: text,
      ceiling: amount,
      budget: amount,
      counted: amount,
      scale,
      maxChars: v.nullable(count),
      projectionVersion: count,
      at: amount,
      requestId: text,
    }),
  ),
  turn: v.exactOptional(v.object({ task: round, resumptions: count, refusal: v.exactOptional(refusal) })),
  updatedAt: amount,
})

const call = v.object({
  index: count,
  entry: v.exactOptional(count),
  function: text,
  arguments: text,
  outputChars: v.nullable(count),
})

const entry = v.object({
  lineId: text,
  index: count,
  kind: v.picklist(entryKinds),
  key: text,
  round,
  source: v.exactOptional(v.object({ hash: text, first: count, draft: count, of: count })),
  slot: v.exactOptional(flag),
  note: v.exactOptional(
    v.object({
      foldId: text,
      firstIndex: count,
      members: indexes,
      calls: v.array(call),
      summary: v.exactOptional(text),
      words: v.exactOptional(
        v.array(v.object({ index: count, kind: v.picklist(['instruction', 'answer']), preview: text })),
      ),
    }),
  ),
  copy: v.exactOptional(
    v.object({
      foldId: text,
      original: count,
      kept: v.array(v.nullable(count)),
      cleared: v.exactOptional(flag),
    }),
  ),
  callId: v.exactOptional(text),
  name: v.exactOptional(text),
  startsTurn: v.exactOptional(v.boolean()),
  chars: count,
})

const journal = v.variant('type', [
  v.object({
    sequence: count,
    type: v.literal('decision'),
    record: v.looseObject({ requestId: text, lineId: text, trace: v.array(v.looseObject({ type: text })) }),
  }),
  v.object({
    sequence: count,
    type: v.literal('fold'),
    record: v.looseObject({ id: text, requestId: text, calls: v.array(v.looseObject({ index: count })) }),
  }),
  v.object({
    sequence: count,
    type: v.literal('settlement'),
    record: v.looseObject({ requestId: text, outcome: text }),
  }),
])

export const portableRow = v.variant('type', [
  v.object({ type: v.literal('header'), format: text, v: count, at: amount }),
  v.object({ type: v.literal('body'), hash: text, json: text }),
  v.object({ type: v.literal('branch'), row: branch }),
  v.object({ type: v.literal('line'), row: line }),
  v.object({ type: v.literal('entry'), row: entry }),
  v.object({ type: v.literal('journal'), row: journal }),
  v.object({ type: v.literal('end'), branches: count, rows: count }),
])

export type ReadRow = v.InferOutput<typeof portableRow>
