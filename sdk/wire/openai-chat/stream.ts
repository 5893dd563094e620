import type { ResponseReading } from '../../engine/format.ts'
import { isObject, type JsonObject } from '../../engine/json.ts'
import { reportedError } from '../response-reading.ts'
import { mergeUsage } from '../usage-source.ts'
import { usageOf } from './usage.ts'

/** Goes on with a chunk of a stream, or with a whole completion. Usage comes with the last chunk, where it was asked for. */
export function readEvent(reading: ResponseReading, event: JsonObject): ResponseReading {
  const error = reading.error ?? reportedError(event)
  const choices = Array.isArray(event.choices) ? event.choices.filter(isObject) : null
  const usages = usageOf(event)
  if (choices === null && usages.length === 0) return { ...reading, error }
  const known = reading.response && isObject(reading.response.usage) ? [reading.response.usage] : []
  const usage = mergeUsage([...known, ...usages])
  return {
    response: Object.keys(usage).length > 0 ? { usage } : {},
    error,
    isComplete: reading.isComplete || (choices ?? []).some(hasEnded),
  }
}

/** A first chunk may say only whose turn it is. */
export function beginsAnswer({ choices }: JsonObject): boolean {
  const all = Array.isArray(choices) ? choices.filter(isObject) : []
  return all.some(({ delta, finish_reason: reason }) => {
    const { role: _, ...said } = isObject(delta) ? delta : {}
    return typeof reason === 'string' || Object.values(said).some((value) => value !== null && value !== '')
  })
}

function hasEnded({ finish_reason: reason }: JsonObject): boolean {
  return typeof reason === 'string'
}
