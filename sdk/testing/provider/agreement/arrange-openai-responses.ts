import type { JsonObject, JsonValue } from '../../../engine/json.ts'
import type { Random } from '../../random.ts'
import { some } from './some.ts'

const ids = ['a', 'b'] as const

export function arrangeResponses(random: Random): JsonObject {
  const model = random.pick(['gpt-5.2', 'deepseek-chat'])
  const kinds = ['function', 'custom_tool', 'computer'] as const
  let calls = 0
  // What DeepSeek makes of two calls of one name is nowhere told.
  const name = (): string => (model === 'deepseek-chat' ? `${calls++}` : random.pick(ids))
  const call = (kind: (typeof kinds)[number]): JsonObject => ({
    type: `${kind}_call`,
    ...(random.chance(0.9) ? { call_id: name() } : {}),
    name: 'look',
    arguments: '{}',
  })
  const output = (kind: string, id: JsonValue = random.pick(['a', 'b', '0', '1'])): JsonObject => ({
    type: `${kind}_call_output`,
    call_id: id,
    output: 'ok',
  })
  const step = (): readonly JsonObject[] => {
    const kind = random.pick(kinds)
    const step = some(random, 1, 2, () => call(kind))
    const between = random.chance(0.5) ? [said()] : []
    return [...step, ...between, ...step.map(({ call_id: id }) => output(kind, id))]
  }
  const said = (): JsonObject => ({
    role: random.pick(['user', 'assistant', 'system', 'developer']),
    content: 'go',
  })
  const items = some(random, 0, 5, (): readonly JsonObject[] =>
    random.pick<() => readonly JsonObject[]>([
      () => [said()],
      () => [said()],
      () => [{ role: random.pick(['user', 'owner']), content: random.pick(['go', null]) }],
      step,
      step,
      () => [call(random.pick(kinds))],
      () => [output(random.pick(kinds))],
      () => [{ type: 'reasoning', id: 'rs_1', summary: [] }],
      () => [
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { role: 'assistant', content: 'yes' },
      ],
      () => [{ type: 'web_search_call', id: 'ws_1', status: 'completed' }],
      () => [{ type: 'compaction', id: 'cmp_1', encrypted_content: 'x' }],
    ])(),
  ).flat()
  return { model, input: items }
}
