import type { LintFault } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { isMessage, isReasoning, itemKind } from './items.ts'
import { conversationId } from './response-id.ts'

/** Which item may stand where, and beside which fields of the request. */
export function lintOrder(request: JsonObject, items: readonly JsonObject[]): readonly LintFault[] {
  return [
    ...lintHistories(request),
    ...items.flatMap((item, position) =>
      lintItem(item, { previous: items[position - 1], next: items[position + 1] }).map((fault) => ({
        ...fault,
        path: `input[${position}]${fault.path}`,
      })),
    ),
    ...lintUpdates(request, items),
  ]
}

function lintHistories({ previous_response_id: id, conversation }: JsonObject): readonly LintFault[] {
  if (typeof id !== 'string' || conversationId(conversation) === null) return []
  return [
    {
      rule: 'two_histories',
      path: 'conversation',
      message: 'a request continues a response or a conversation, not both',
    },
  ]
}

const roles: ReadonlySet<JsonValue | undefined> = new Set(['user', 'assistant', 'system', 'developer'])

interface Neighbours {
  readonly previous: JsonObject | undefined
  readonly next: JsonObject | undefined
}

/** Faults of one item, with paths inside it. */
function lintItem(item: JsonObject, { previous, next }: Neighbours): readonly LintFault[] {
  if (isMessage(item)) {
    if (!roles.has(item.role))
      return [{ rule: 'unknown_role', path: '.role', message: 'no role of this format' }]
    const lacksContent = item.content === undefined || item.content === null
    return lacksContent
      ? [{ rule: 'missing_content', path: '.content', message: 'must be text or a list of parts' }]
      : []
  }
  if (isReasoning(item) && !leadsToItem(next))
    return [
      {
        rule: 'reasoning_without_item',
        path: '',
        message: 'reasoning must be directly followed by the item of the response that it led up to',
      },
    ]
  if (item.type === 'compaction_trigger' && next !== undefined)
    return [{ rule: 'trigger_not_last', path: '', message: 'must be the last item of the input' }]
  if (item.type === 'configuration_update' && previous?.type === item.type)
    return [
      {
        rule: 'updates_in_a_row',
        path: '',
        message: 'must not directly follow another configuration_update',
      },
    ]
  return []
}

/** Only what the app says itself, or nothing at all, is surely not what reasoning led up to. */
function leadsToItem(next: JsonObject | undefined): boolean {
  if (next === undefined) return false
  const kind = itemKind(next)
  return kind !== 'instruction' && kind !== 'result' && !isSystemMessage(next)
}

function isSystemMessage(item: JsonObject): boolean {
  return itemKind(item) === 'standing' && isMessage(item)
}

/** Updates are not taken where the provider shortens the history by itself. */
function lintUpdates(request: JsonObject, items: readonly JsonObject[]): readonly LintFault[] {
  const position = items.findIndex((item) => item.type === 'configuration_update')
  if (position < 0 || !shortensItself(request)) return []
  return [
    {
      rule: 'update_beside_shortening',
      path: `input[${position}]`,
      message: 'configuration updates are not taken with automatic compaction or truncation',
    },
  ]
}

function shortensItself({ truncation, context_management: edits }: JsonObject): boolean {
  if (truncation === 'auto') return true
  return Array.isArray(edits) && edits.some((edit) => isObject(edit) && edit.type === 'compaction')
}
