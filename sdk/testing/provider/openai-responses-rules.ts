import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import type { ReceivedChat, Rejection } from './dialect.ts'
import { objectsOf, textOf } from './json-reading.ts'
import type { ProviderModel } from './model.ts'
import { contentFault, invalidRole, invalidType, missingParameter, openAiRejection } from './openai-errors.ts'
import { responsesPairFault } from './openai-responses-pairs.ts'

/** What OpenAI says of a list of items that is not whole, first fault first; null: nothing. */
export function responsesFault(
  { body, unknownHistory }: ReceivedChat,
  { server }: Pick<ProviderModel, 'server'>,
): Rejection | null {
  const items = objectsOf(body.input)
  return (
    historyFault(body, unknownHistory) ??
    inputFault(body) ??
    referenceFault(items) ??
    responsesPairFault(items, server) ??
    reasoningFault(items)
  )
}

function historyFault(
  { previous_response_id: id, conversation }: JsonObject,
  unknown: string | undefined,
): Rejection | null {
  const named = textOf(conversation) || (isObject(conversation) ? textOf(conversation.id) : '')
  if (typeof id === 'string' && named !== '')
    return openAiRejection(
      "Mutually exclusive parameters: Ensure you are only providing one of: 'previous_response_id' or 'conversation'.",
      null,
      { code: 'mutually_exclusive_parameters' },
    )
  if (unknown !== undefined)
    return openAiRejection(`Previous response with id '${unknown}' not found.`, 'previous_response_id', {
      code: 'previous_response_not_found',
    })
  return named === ''
    ? null
    : openAiRejection(`Conversation with id '${named}' not found.`, 'conversation', { status: 404 })
}

function inputFault({ input = null }: JsonObject): Rejection | null {
  if (!Array.isArray(input) && input !== null)
    return invalidType('input', 'one of a string or array of input items', input)
  if (!Array.isArray(input) || input.length === 0)
    return openAiRejection(
      `One of "input" or "previous_response_id" or 'prompt' or 'conversation_id' must be provided.`,
      null,
      { code: 'missing_required_parameter' },
    )
  for (const [place, item] of input.entries()) {
    const fault = itemFault(item, `input[${place}]`)
    if (fault) return fault
  }
  return null
}

const roles = ['assistant', 'system', 'developer', 'user']

function itemFault(item: JsonValue, path: string): Rejection | null {
  if (!isObject(item)) return invalidType(path, 'an input item', item)
  const { type, role, content, output, id } = item
  if ((type ?? null) === null && role === undefined && typeof id === 'string') return null
  if (type === 'function_call_output') return contentFault(output, `${path}.output`)
  if ((type ?? 'message') !== 'message')
    return typeof type === 'string' ? null : invalidType(`${path}.type`, 'a string', type ?? null)
  if (typeof role !== 'string') return missingParameter(`${path}.role`)
  if (!roles.includes(role)) return invalidRole(`${path}.role`, role, roles)
  return (content ?? null) === null
    ? missingParameter(`${path}.content`)
    : contentFault(content, `${path}.content`)
}

/** What is named and held has been put in the place of its name by now. */
function referenceFault(items: readonly JsonObject[]): Rejection | null {
  const unknown = items.find(isReference)
  return unknown === undefined
    ? null
    : openAiRejection(
        `Item with id '${textOf(unknown.id)}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
        'input',
        { status: 404 },
      )
}

/** An item that only the provider holds; it may leave out its type. */
export function isReference({ type, role, id }: JsonObject): boolean {
  return (
    type === 'item_reference' || ((type ?? null) === null && role === undefined && typeof id === 'string')
  )
}

/** Reasoning stands right before what it led to; both are named after the response that they came in. */
function reasoningFault(items: readonly JsonObject[]): Rejection | null {
  const reasonings = new Set(items.filter(({ type }) => type === 'reasoning').map(({ id }) => textOf(id)))
  for (const [place, { type, id }] of items.entries()) {
    if (type !== 'reasoning' || isAnswer(items[place + 1])) continue
    return openAiRejection(
      `Item '${textOf(id)}' of type 'reasoning' was provided without its required following item.`,
      'input',
    )
  }
  for (const { id } of items) {
    const [, reasoned] = /^(?:fc|msg)_(r[^_]+)/.exec(textOf(id)) ?? []
    if (reasoned !== undefined && !reasonings.has(`rs_${reasoned}`))
      return openAiRejection(
        `Item '${textOf(id)}' was provided without its required 'reasoning' item: 'rs_${reasoned}'.`,
        'input',
      )
  }
  return null
}

/** Whether an item comes from a response: all that is neither said by the app nor the output of a call. */
function isAnswer(item: JsonObject | undefined): boolean {
  if (item === undefined || textOf(item.type).endsWith('_call_output')) return false
  return (item.type ?? 'message') !== 'message' || item.role === 'assistant'
}
