import type { JsonObject, JsonValue } from '../../../engine/json.ts'
import type { Random } from '../../random.ts'
import { some } from './some.ts'

const ids = ['a', 'b'] as const

const mark = (random: Random): JsonObject => ({
  cache_control: { type: 'ephemeral', ...(random.chance(0.3) ? { ttl: '1h' } : {}) },
})

export function arrangeMessages(random: Random): JsonObject {
  const text = (): JsonObject => ({
    type: 'text',
    text: random.chance(0.05) ? ' ' : 'go',
    ...(random.chance(0.25) ? mark(random) : {}),
  })
  const call = (): JsonObject => ({
    type: 'tool_use',
    ...(random.chance(0.97) ? { id: random.pick(['a', 'b', 'c', 'd']) } : {}),
    name: 'look',
    input: {},
  })
  const result = (id: JsonValue = random.pick(ids)): JsonObject => ({
    type: 'tool_result',
    tool_use_id: id,
    content: 'ok',
    ...(random.chance(0.1) ? mark(random) : {}),
  })
  const thinking = (): JsonObject => ({
    ...(random.chance(0.8)
      ? { type: 'thinking', thinking: 'Hm.', signature: 's' }
      : { type: 'redacted_thinking', data: 's' }),
    ...(random.chance(0.05) ? mark(random) : {}),
  })
  const server = (): readonly JsonObject[] => [
    ...(random.chance(0.7) ? [{ type: 'server_tool_use', id: 's', name: 'web_search', input: {} }] : []),
    { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
  ]
  const block = (): readonly JsonObject[] =>
    random.pick<() => readonly JsonObject[]>([
      () => [text()],
      () => [text()],
      () => [call()],
      () => [result()],
      () => [thinking()],
      server,
    ])()
  const step = (): readonly JsonObject[] => {
    const calls = some(random, 1, 2, call)
    const results = calls.map(({ id }) => result(id))
    const head = random.chance(0.5) ? [thinking()] : []
    const tail = random.chance(0.2) ? [text()] : []
    const answered = random.chance(0.15)
      ? results.map((one): JsonObject => ({ role: 'user', content: [one] }))
      : [{ role: 'user', content: random.chance(0.1) ? [...tail, ...results] : [...results, ...tail] }]
    return [{ role: 'assistant', content: [...head, ...calls] }, ...answered]
  }
  const messages = some(random, 0, 4, (): readonly JsonObject[] =>
    random.pick<() => readonly JsonObject[]>([
      () => [{ role: 'user', content: random.chance(0.05) ? '' : 'go' }],
      () => [{ role: 'user', content: [text()] }],
      () => [{ role: 'assistant', content: random.chance(0.1) ? '' : [text()] }],
      () => [{ role: 'assistant', content: [thinking(), text()] }],
      () => [{ role: 'assistant', content: server() }],
      step,
      step,
      () => [
        { role: random.pick(['user', 'assistant', 'system']), content: some(random, 0, 2, block).flat() },
      ],
      () => [{ role: random.pick(['system', 'system', 'owner']), content: 'Be short.' }],
    ])(),
  ).flat()
  return {
    model: random.pick(['claude-haiku-4-5', 'claude-opus-4-8', 'claude-opus-5']),
    max_tokens: 9,
    ...(random.chance(0.3) ? { thinking: { type: 'enabled', budget_tokens: 1024 } } : {}),
    ...(random.chance(0.1) ? { system: [text()] } : {}),
    ...(random.chance(0.1) ? mark(random) : {}),
    messages: random.chance(0.8) ? [{ role: 'user', content: 'go' }, ...messages] : messages,
  }
}
