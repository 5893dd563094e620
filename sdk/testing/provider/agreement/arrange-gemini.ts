import type { JsonObject } from '../../../engine/json.ts'
import type { Random } from '../../random.ts'
import { some } from './some.ts'

export function arrangeContents(random: Random): JsonObject {
  const call = (): JsonObject => ({
    functionCall: { name: 'look', args: {} },
    ...(random.chance(0.6) ? { thoughtSignature: 's' } : {}),
  })
  const result = { functionResponse: { name: 'look', response: { output: 'ok' } } }
  const part = (): JsonObject =>
    random.pick<() => JsonObject>([() => ({ text: 'go' }), () => ({ text: 'go' }), call, () => result])()
  const step = (): readonly JsonObject[] => {
    const calls = some(random, 1, 2, call)
    return [
      { role: 'model', parts: calls },
      { role: random.pick(['user', 'user', 'function']), parts: calls.map(() => result) },
    ]
  }
  const contents = some(random, 0, 5, (): readonly JsonObject[] =>
    random.pick<() => readonly JsonObject[]>([
      () => [{ role: 'user', parts: [{ text: 'go' }] }],
      () => [{ role: 'user', parts: [{ text: 'go' }] }],
      () => [{ role: 'model', parts: [{ text: 'yes' }] }],
      () => [{ parts: [{ text: 'go' }] }],
      () => [{ role: random.pick(['user', 'model', 'owner']), parts: some(random, 0, 2, part) }],
      step,
      step,
    ])(),
  ).flat()
  return { model: random.pick(['gemini-2.5-pro', 'gemini-3-pro']), contents }
}
