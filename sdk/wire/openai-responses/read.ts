import type { ReadOutcome, ShapeFault } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { countedFields } from '../counted-fields.ts'
import {
  checkObjects,
  checkRoleAndContent,
  type MessageListReading,
  readMessageList,
  typeName,
} from '../message-list.ts'
import { continuesElsewhere } from '../responses-body.ts'
import { toolFacts } from '../tool-facts.ts'
import { isMessage, isSystem } from './items.ts'
import { bindsReasoning } from './reasoning.ts'
import { conversationId } from './response-id.ts'
import { messagesOf } from './runs.ts'

export function readRequest(request: JsonObject): ReadOutcome {
  const list = checkRequest(request)
  if (list.type === 'fault') return list
  const items = list.messages
  const firstMatched = items.findIndex((item) => !isSystem(item))
  const leading = firstMatched < 0 ? items.length : firstMatched
  const continues = continuedHistory(request)
  const lists = [request.tools, ...items.map((item) => item.tools)]
  return {
    type: 'read',
    request: {
      model: typeof request.model === 'string' ? request.model : undefined,
      fields: countedFields(request, { listKey: 'input', schemaKey: 'text' }),
      leading: items.slice(0, leading),
      messages: typeof request.input === 'string' ? [request.input] : messagesOf(items.slice(leading)),
      tools: lists.flatMap((tools) => readTools(tools)),
      ...(continues === null ? {} : { continues }),
      ...(bindsReasoning(request, items) ? { bindsReasoning: true } : {}),
    },
  }
}

/** The response or conversation whose history the provider holds; null where the list is all there is. */
export function continuedHistory({ previous_response_id: id, conversation }: JsonObject): string | null {
  return typeof id === 'string' ? id : conversationId(conversation)
}

/** The items of a request, none for input that is text, or what in it has not the shape of one. */
export function checkRequest(request: JsonObject): MessageListReading {
  const { input } = request
  const mayBeEmpty = continuesElsewhere(request)
  if (typeof input === 'string') return { type: 'list', messages: [] }
  if (mayBeEmpty && (input === undefined || input === null || (Array.isArray(input) && input.length === 0)))
    return { type: 'list', messages: [] }
  if (Array.isArray(input) && input.length > 0)
    return readMessageList({ request, key: 'input', check: checkItem })
  const actual = Array.isArray(input) ? 'an empty list' : typeName(input)
  return { type: 'fault', fault: { path: 'input', expected: 'text or a list of at least one item', actual } }
}

function checkItem(item: JsonObject, path: string): ShapeFault | null {
  if (isMessage(item)) return checkRoleAndContent(item, path)
  if (item.type !== undefined && item.type !== null && typeof item.type !== 'string')
    return { path: `${path}.type`, expected: 'a type such as "message"', actual: typeName(item.type) }
  const { output } = item
  if (item.type !== 'function_call_output' || !Array.isArray(output)) return null
  return checkObjects(output, `${path}.output`, 'text or a list of parts')
}

/** Namespaces hold tools of their own, and hold no further ones. */
function readTools(tools: JsonValue | undefined, depth = 0): ReturnType<typeof toolFacts> {
  if (!Array.isArray(tools) || depth > 1) return []
  return tools
    .filter(isObject)
    .flatMap((tool) => [...toolFacts(tool.name, tool.parameters), ...readTools(tool.tools, depth + 1)])
}
