import { isObject, type JsonObject } from '../../engine/json.ts'
import type { Rejection } from './dialect.ts'
import { textOf } from './json-reading.ts'
import type { ProviderModel } from './model.ts'
import { missingParameter, openAiRejection } from './openai-errors.ts'

/**
 * Every call is answered after it, and every output has its call before it: paired by name, wherever they stand.
 * DeepSeek's own server looks no further than the next item that is neither.
 */
export function responsesPairFault(
  items: readonly JsonObject[],
  server: ProviderModel['server'],
): Rejection | null {
  const called = new Set<string>()
  for (const [place, item] of items.entries()) {
    if (server === 'deepseek' && !isCall(item) && !isOutput(item)) called.clear()
    if (isCall(item)) {
      const fault = callFault(item, place, { items, server })
      if (fault) return fault
    }
    if (isHosted(item) || isCall(item)) called.add(textOf(item.call_id))
    if (!isOutput(item) || called.has(idOf(item))) continue
    if (idOf(item) === '') return missingParameter(`input[${place}].call_id`)
    return openAiRejection(`No tool call found for ${spoken(item)} with call_id ${idOf(item)}.`, 'input')
  }
  return null
}

function callFault(
  call: JsonObject,
  place: number,
  { items, server }: { readonly items: readonly JsonObject[]; readonly server: ProviderModel['server'] },
): Rejection | null {
  if (typeof call.call_id !== 'string') return missingParameter(`input[${place}].call_id`)
  const after = items.slice(place + 1)
  const end = server === 'deepseek' ? after.findIndex((item) => !isCall(item) && !isOutput(item)) : -1
  const inReach = end < 0 ? after : after.slice(0, end)
  if (inReach.some((item) => isOutput(item) && idOf(item) === call.call_id)) return null
  return openAiRejection(
    server === 'deepseek'
      ? `No tool output found for tool call ${call.call_id}`
      : `No tool output found for ${spoken(call)} ${call.call_id}.`,
    'input',
  )
}

/** What the app answers. */
function isCall(item: JsonObject): boolean {
  if (item.type === 'function_call' || item.type === 'custom_tool_call') return true
  return textOf(item.type).endsWith('_call') && typeof item.call_id === 'string' && !isHosted(item)
}

/** What runs at the provider, though it has a name. */
function isHosted({ type, execution, environment }: JsonObject): boolean {
  if (type === 'tool_search_call') return execution !== 'client'
  return type === 'shell_call' && isObject(environment) && environment.type === 'container_reference'
}

function isOutput({ type }: JsonObject): boolean {
  return textOf(type).endsWith('_call_output')
}

/** The name of the call that an output answers. */
function idOf({ type, call_id: callId, id }: JsonObject): string {
  return textOf(callId) || (type === 'local_shell_call_output' ? textOf(id) : '')
}

function spoken({ type }: JsonObject): string {
  return textOf(type).replaceAll('_', ' ')
}
