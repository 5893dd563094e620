import type { JsonObject } from '../../engine/json.ts'
import type { Said } from './script.ts'

export interface SpokenRequest extends JsonObject {
  readonly messages: readonly JsonObject[]
}

export interface RequestShape {
  /** The request declares dogear's context tool. */
  readonly contextTool: boolean
  /** How the model's thinking stays valid; absent: it does not think. */
  readonly thinking?: 'manual' | 'preserved' | undefined
}

/** Writes what is said as a provider's own messages. */
export interface Speaker {
  ask(said: Extract<Said, { type: 'ask' }>): readonly JsonObject[]
  answer(said: Extract<Said, { type: 'answer' }>): readonly JsonObject[]
  /** The results of an answer's calls, and what was said beside them. */
  results(said: Extract<Said, { type: 'answer' }>): readonly JsonObject[]
  request(messages: readonly JsonObject[], shape: RequestShape): SpokenRequest
}

export const system = 'You keep a small archive of notes. Read before you answer, and name your sources.'

export const contextParameters: JsonObject = {
  type: 'object',
  properties: {
    action: { type: 'string', enum: ['status', 'read_result', 'restore'] },
    index: { type: 'integer' },
  },
  required: ['action'],
}
