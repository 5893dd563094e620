import type {
  ContextDecision,
  FoldRecord,
  PartSize,
  RefusalReason,
  SettlementRecord,
  TraceStep,
} from '../../sdk/engine/journal.ts'
import type { DogearEvent } from '../../sdk/events.ts'
import type { PanelSnapshot } from '../source.ts'

export const branchId = 'branch-1'

const startedAt = Date.UTC(2026, 0, 5, 9, 0, 0)

export function decision(number: number, overrides: Partial<ContextDecision> = {}): ContextDecision {
  const after = overrides.after ?? 10_000
  const ceiling = overrides.ceiling === undefined ? 64_000 : overrides.ceiling
  return {
    v: 1,
    branchId,
    lineId: 'line-1',
    requestId: `request-${number}`,
    attempt: 1,
    sequence: number * 10,
    at: startedAt + number * 1_000,
    model: 'model-a',
    format: 'openai-chat',
    ceiling,
    ceilingSource: ceiling === null ? 'none' : 'policy',
    line: ceiling === null ? null : ceiling * 0.8,
    target: ceiling === null ? null : ceiling * 0.6,
    method: 'counted',
    before: after,
    after,
    counted: after,
    scale: 1,
    parts: parts({ system: after * 0.2, result: after * 0.8 }),
    action: 'pass',
    folded: [],
    sent: true,
    trace: [{ type: 'measured', estimate: after, line: ceiling === null ? null : ceiling * 0.8, ceiling }],
    warnings: [],
    ...overrides,
  }
}

/** A decision whose request was folded from `before` to `after`, taking these record indexes. */
export function foldedDecision(
  number: number,
  { before = 60_000, after = 30_000, folded = [3, 4] } = {},
): ContextDecision {
  const landed: TraceStep = {
    type: 'stage',
    stage: 'tool_io',
    keptTail: 6,
    outcome: 'landed',
    before,
    after,
    indexes: folded,
    target: 38_400,
  }
  return decision(number, {
    action: 'fold',
    before,
    after,
    folded,
    trace: [{ type: 'measured', estimate: before, line: 51_200, ceiling: 64_000 }, landed],
  })
}

export function refusedDecision(
  number: number,
  { after = 70_000, reason = 'nothing_to_fold' as RefusalReason } = {},
): ContextDecision {
  return decision(number, {
    action: 'refuse',
    after,
    before: after,
    sent: false,
    trace: [
      { type: 'measured', estimate: after, line: 51_200, ceiling: 64_000 },
      { type: 'refused', estimate: after, ceiling: 64_000, reason },
    ],
  })
}

export function parts(tokens: Partial<Record<PartSize['part'], number>>): readonly PartSize[] {
  return Object.entries(tokens).map(([part, size]) => ({
    part: part as PartSize['part'],
    tokens: size,
    entries: 1,
  }))
}

export function fold(number: number, overrides: Partial<FoldRecord> = {}): FoldRecord {
  return {
    v: 1,
    id: `fold-${number}`,
    at: startedAt + number * 1_000,
    requestId: `request-${number}`,
    noteIndex: 9,
    replaced: [{ start: 3, end: 5 }],
    reason: 'threshold',
    stage: 'tool_io',
    keptTail: 6,
    messagesFolded: 2,
    calls: [{ index: 4, function: 'search', arguments: '{"query":"tides"}', outputChars: 12_000 }],
    callsTotal: 1,
    summarySource: 'host',
    summaryUsage: null,
    before: 60_000,
    after: 30_000,
    ceiling: 64_000,
    scale: 1,
    outcome: 'landed',
    targetReached: true,
    ...overrides,
  }
}

export function settlement(number: number, overrides: Partial<SettlementRecord> = {}): SettlementRecord {
  return {
    requestId: `request-${number}`,
    attempt: 1,
    outcome: 'completed',
    scale: 1,
    ms: 1_200,
    ...overrides,
  }
}

export function snapshot(journal: Partial<PanelSnapshot['journal']> = {}): PanelSnapshot {
  return { branchId, journal: { decisions: [], folds: [], settlements: [], ...journal } }
}

function base(sequence: number) {
  return { v: 1, branchId, sequence, at: startedAt + sequence } as const
}

export function decided(record: ContextDecision): DogearEvent {
  return { ...base(record.sequence), type: 'request-decided', requestId: record.requestId, decision: record }
}

export function settled(record: SettlementRecord): DogearEvent {
  return { ...base(1), type: 'request-settled', requestId: record.requestId, settlement: record }
}

export function applied(record: FoldRecord): DogearEvent {
  return {
    ...base(1),
    type: 'stage-applied',
    requestId: record.requestId,
    stage: record.stage,
    fold: record,
  }
}

export function warned(code: string): DogearEvent {
  return { ...base(1), type: 'warning', warning: { code, message: `about ${code}` } }
}
