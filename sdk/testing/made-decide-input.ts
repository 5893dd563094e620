import type { DecideInput } from '../engine/decide-input.ts'
import { MeasureMemory } from '../engine/measure.ts'
import { policyInForce } from '../engine/policy.ts'
import { initialScale } from '../engine/scale.ts'
import { openAiChat } from '../wire/openai-chat/index.ts'

/** A request of which nothing is special: a list of messages alone, under a ceiling that is far, with no way to fold. */
export function madeDecideInput(
  from: Pick<DecideInput, 'line' | 'sources'>,
  options: Partial<DecideInput> = {},
): DecideInput {
  return {
    requestId: 'q',
    at: 1,
    wire: openAiChat,
    model: undefined,
    fields: [{ type: 'messages', key: 'messages' }],
    leading: [],
    order: from.line.view,
    policy: policyInForce({}),
    ceiling: { type: 'ceiling', ceiling: 100_000, source: 'policy' },
    repair: { window: null, readerWindow: null, asked: null, stages: null },
    scale: initialScale,
    anchor: null,
    run: 'iterative',
    keepsTurnHead: false,
    bindsReasoning: false,
    endMark: null,
    remote: null,
    stages: null,
    summaries: 'off',
    resumptions: 0,
    tools: [],
    contextTool: null,
    digest: null,
    exact: true,
    memory: new MeasureMemory(),
    ...from,
    ...options,
  }
}
