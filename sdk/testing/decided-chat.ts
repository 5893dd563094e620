import { appendMessages } from '../engine/append.ts'
import type { Ceiling } from '../engine/ceiling.ts'
import { type DecidedRequest, decideRequest } from '../engine/decide.ts'
import type { DecideInput } from '../engine/decide-input.ts'
import { defaultStages } from '../engine/default-stages.ts'
import { ownName } from '../engine/digest.ts'
import { type KnownField, type KnownMessage, understand } from '../engine/intake.ts'
import type { JsonObject } from '../engine/json.ts'
import { messageOrder } from '../engine/place.ts'
import { answerCounts, runPlan } from '../engine/plan.ts'
import { type ContextPolicy, policyInForce } from '../engine/policy.ts'
import { emptyLine, type Line } from '../engine/record.ts'
import { anthropic } from '../wire/anthropic/index.ts'
import { madeDecideInput } from './made-decide-input.ts'

export interface ChatOptions {
  readonly policy?: ContextPolicy
  readonly ceiling?: number | null
  readonly system?: string
  /** Whatever else is to differ from a request of an app whose tools carry the context tool. */
  readonly input?: Partial<DecideInput>
}

/** A line of Anthropic messages, decided request by request by the engine alone; every UTF-16 unit is a token. */
export class DecidedChat {
  line: Line = emptyLine('line')
  #known: readonly KnownMessage[] = []
  #requests = 0

  /** Decides a list that goes on with the one before; the line goes on as if the request had completed. */
  send(list: readonly JsonObject[], options: ChatOptions = {}): DecidedRequest {
    const decided = this.decide(list, options)
    this.line = { ...decided.line, delivered: new Set(decided.line.view) }
    return decided
  }

  /** Decides a list and forgets the decision. */
  decide(list: readonly JsonObject[], options: ChatOptions = {}): DecidedRequest {
    const { policy, ceiling = 20_000, system } = options
    const known = list.map((message, position) => {
      const json = JSON.stringify(message)
      const before = this.#known[position]
      return before?.json === json ? before : understand(json, anthropic, ownName)
    })
    const line = appendMessages(this.line, known.slice(this.#known.length))
    this.line = line
    this.#known = known
    const order = messageOrder(line, known)
    const sources = new Map(
      known.map((message, position) => [order[position] ?? -1, { native: message.snapshot, known: message }]),
    )
    const input = madeDecideInput(
      { line, sources },
      {
        requestId: `request${++this.#requests}`,
        at: this.#requests,
        wire: anthropic,
        model: 'claude-opus-5-5',
        fields: fieldsOf(system),
        order,
        policy: policyInForce({ promptCaching: true, ...policy }),
        ceiling: ceilingOf(ceiling),
        contextTool: 'context',
        digest: ownName,
        stages: defaultStages,
        resumptions: 2,
        ...options.input,
      },
    )
    return runPlan(
      decideRequest(input),
      answerCounts((texts) => texts.map(({ length }) => length)),
    )
  }
}

function fieldsOf(system: string | undefined): readonly KnownField[] {
  const list: KnownField = { type: 'messages', key: 'messages' }
  if (system === undefined) return [list]
  return [
    { type: 'value', key: 'system', part: 'system', snapshot: system, json: JSON.stringify(system) },
    list,
  ]
}

function ceilingOf(ceiling: number | null): Ceiling {
  return { type: 'ceiling', ceiling, source: ceiling === null ? 'none' : 'policy' }
}
