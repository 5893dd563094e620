import type { JsonObject, JsonValue } from '../../../engine/json.ts'
import type { Random } from '../../random.ts'
import { some } from './some.ts'

const ids = ['a', 'b'] as const

export function arrangeChat(random: Random): JsonObject {
  const call = (): JsonObject => ({
    ...(random.chance(0.95) ? { id: random.pick(ids) } : {}),
    type: 'function',
    function: { name: 'look', arguments: '{}' },
  })
  const content = (): JsonValue =>
    random.pick<JsonValue>(['go', 'go', 'go', [{ type: 'text', text: 'go' }], [], null])
  const calling = (): readonly JsonObject[] => {
    const calls = some(random, 0, 2, call)
    const role = random.chance(0.9) ? 'assistant' : 'user'
    const message: JsonObject = { role, content: null, tool_calls: calls }
    return random.chance(0.3) ? [message] : [message, ...calls.map(({ id }) => result(id))]
  }
  const result = (id: JsonValue = random.pick(ids)): JsonObject => ({
    role: 'tool',
    tool_call_id: id,
    content: 'ok',
  })
  const messages = some(random, 0, 5, (): readonly JsonObject[] =>
    random.pick<() => readonly JsonObject[]>([
      () => [
        { role: random.pick(['user', 'assistant', 'system', 'developer', 'owner']), content: content() },
      ],
      () => [{ role: 'user', content: 'go' }],
      () => [{ role: 'assistant', content: 'yes' }],
      () => [{ role: 'assistant', refusal: 'no' }],
      calling,
      calling,
      () => [result()],
    ])(),
  ).flat()
  return { model: random.pick(['gpt-5.2', 'deepseek-chat']), messages }
}
