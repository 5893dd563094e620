import type { PrepareOptions } from './branch.ts'
import type { CapturedRequest } from './captured-request.ts'
import { asItStands, type StatedRequest, type TurnFacts } from './decision-input.ts'
import type { DecidedRequest } from './engine/decide.ts'
import type { DecideInput } from './engine/decide-input.ts'
import type { Warning } from './engine/format.ts'
import type { ContextDecision } from './engine/journal.ts'
import type { Line } from './engine/record.ts'
import type { RepairRequest } from './engine/repair.ts'
import type { SentRequest } from './settling.ts'
import type { SummaryTransport } from './summarizing.ts'

/** A request as it was read, and where it stands: what every attempt at it begins from. */
export interface Attempt extends Pick<PrepareOptions, 'signal'> {
  readonly captured: CapturedRequest
  readonly stated: StatedRequest
  readonly line: Line
  readonly transport: SummaryTransport | undefined
  /** What is to be said of it once. */
  readonly told: readonly Warning[]
  readonly forkedFrom: string | undefined
}

/** How an attempt was decided. */
export interface DecidedAttempt extends Attempt {
  readonly input: Omit<DecideInput, 'exact'> & TurnFacts
  readonly decided: DecidedRequest
  /** The attempt at the same list before it. */
  readonly before: SentRequest | null
}

export interface WrittenAttempt {
  readonly attempt: DecidedAttempt
  /** The request that leaves. */
  readonly outgoing: unknown
}

/** Decides an attempt anew, to be made to fit. */
export type DecideRepair = (asked: RepairRequest) => Promise<Pick<DecidedAttempt, 'input' | 'decided'>>

/** What is kept of an attempt that is handed over, until it is settled. */
export function sentAttempt(
  { stated, decided, before }: Pick<DecidedAttempt, 'stated' | 'decided' | 'before'>,
  { requestId, attempt, lineId, action }: ContextDecision,
  handedOverAt: number,
): SentRequest {
  const { opened, model, call } = stated
  const { heldPrefix } = opened.read
  return {
    requestId,
    attempt,
    lineId,
    model: model ?? '',
    wire: opened.wire,
    decided,
    ...(call.provider === undefined ? {} : { provider: call.provider }),
    ...(heldPrefix === undefined ? {} : { heldPrefix }),
    isRepaired: action === 'repair' || before?.isRepaired === true,
    handedOverAt,
  }
}

/** The input of a retry: the same bytes leave again, and nothing is folded or repaired for them. */
export function retryInput(input: DecidedAttempt['input'], before: SentRequest): DecidedAttempt['input'] {
  const { requestId, decided } = before
  return { ...asItStands(input), requestId, repeated: decided }
}
