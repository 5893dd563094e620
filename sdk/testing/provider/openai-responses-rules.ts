import type { JsonObject } from '../../engine/json.ts'
import type { Rejection } from './dialect.ts'
import { objectsOf, textOf } from './json-reading.ts'
import { openAiError } from './openai-errors.ts'

/** What OpenAI says of a list of items that is not whole; null: nothing. */
export function responsesFault({ input }: JsonObject): Rejection | null {
  const items = objectsOf(input)
  const text = referenceFault(items) ?? pairFault(items) ?? reasoningFault(items)
  return text === null
    ? null
    : { status: 400, body: openAiError({ message: text, code: null, param: 'input' }) }
}

/** What is named and held has been put in the place of its name by now. */
function referenceFault(items: readonly JsonObject[]): string | null {
  const unknown = items.find(({ type }) => type === 'item_reference')
  return unknown === undefined
    ? null
    : `Item with id '${textOf(unknown.id)}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`
}

/** Calls and outputs are paired by name, wherever they stand. */
function pairFault(items: readonly JsonObject[]): string | null {
  const namesOf = (type: string): readonly string[] =>
    items.filter((item) => item.type === type).map((item) => textOf(item.call_id))
  const calls = namesOf('function_call')
  const outputs = namesOf('function_call_output')
  const missing = calls.find((id) => !outputs.includes(id))
  if (missing !== undefined) return `No tool output found for function call ${missing}.`
  const orphan = outputs.find((id) => !calls.includes(id))
  return orphan === undefined ? null : `No tool call found for function call output with call_id ${orphan}.`
}

/** Reasoning stands right before what it led to; both are named after the response that they came in. */
function reasoningFault(items: readonly JsonObject[]): string | null {
  const reasonings = new Set(items.filter(({ type }) => type === 'reasoning').map(({ id }) => textOf(id)))
  for (const [place, { type, id }] of items.entries()) {
    if (type !== 'reasoning') continue
    const next = items[place + 1]
    const follows = next?.type === 'function_call' || next?.role === 'assistant'
    if (!follows)
      return `Item '${textOf(id)}' of type 'reasoning' was provided without its required following item.`
  }
  for (const { id } of items) {
    const [, reasoned] = /^(?:fc|msg)_(r[^_]+)/.exec(textOf(id)) ?? []
    if (reasoned !== undefined && !reasonings.has(`rs_${reasoned}`))
      return `Item '${textOf(id)}' was provided without its required 'reasoning' item: 'rs_${reasoned}'.`
  }
  return null
}
