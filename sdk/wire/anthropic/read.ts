import type { ReadOutcome, ShapeFault } from '../../engine/format.ts'
import { isObject, type JsonObject } from '../../engine/json.ts'
import { countedFields } from '../counted-fields.ts'
import { checkRoleAndContent, type MessageListReading, readMessageList, typeName } from '../message-list.ts'
import { toolFacts } from '../tool-facts.ts'

export function readRequest(request: JsonObject): ReadOutcome {
  const list = checkRequest(request)
  if (list.type === 'fault') return list
  const tools = Array.isArray(request.tools) ? request.tools.filter(isObject) : []
  return {
    type: 'read',
    request: {
      model: typeof request.model === 'string' ? request.model : undefined,
      fields: countedFields(request, { listKey: 'messages', schemaKey: 'output_config' }),
      leading: [],
      messages: list.messages,
      tools: tools.flatMap((tool) => toolFacts(tool.name, tool.input_schema)),
    },
  }
}

/** The messages of a request, or what in it has not the shape of one. */
export function checkRequest(request: JsonObject): MessageListReading {
  return readMessageList({ request, key: 'messages', check: checkMessage })
}

function checkMessage(message: JsonObject, path: string): ShapeFault | null {
  if (message.content === undefined || message.content === null)
    return {
      path: `${path}.content`,
      expected: 'text or a list of content blocks',
      actual: typeName(message.content),
    }
  return checkRoleAndContent(message, path)
}
