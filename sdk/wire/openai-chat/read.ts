import type { ReadOutcome, ShapeFault, ToolFacts } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { countedFields } from '../counted-fields.ts'
import {
  checkObjects,
  checkRoleAndContent,
  type MessageListReading,
  readMessageList,
} from '../message-list.ts'
import { toolFacts } from '../tool-facts.ts'

export function readRequest(request: JsonObject): ReadOutcome {
  const list = checkRequest(request)
  if (list.type === 'fault') return list
  const firstMatched = list.messages.findIndex((message) => !isSystem(message))
  const leading = firstMatched < 0 ? list.messages.length : firstMatched
  return {
    type: 'read',
    request: {
      model: typeof request.model === 'string' ? request.model : undefined,
      fields: countedFields(request, { listKey: 'messages' }),
      leading: list.messages.slice(0, leading),
      messages: list.messages.slice(leading),
      tools: [
        ...objects(request.tools).flatMap(readTool),
        ...objects(request.functions).flatMap(readFunction),
      ],
    },
  }
}

/** The messages of a request, or what in it has not the shape of one. */
export function checkRequest(request: JsonObject): MessageListReading {
  return readMessageList({ request, key: 'messages', check: checkMessage })
}

export function isSystem(message: JsonObject): boolean {
  return message.role === 'system' || message.role === 'developer'
}

function checkMessage(message: JsonObject, path: string): ShapeFault | null {
  const fault = checkRoleAndContent(message, path)
  if (fault !== null || message.tool_calls === undefined || message.tool_calls === null) return fault
  return checkObjects(message.tool_calls, `${path}.tool_calls`, 'a list of tool calls')
}

function readTool(tool: JsonObject): readonly ToolFacts[] {
  const declaration = tool.function ?? tool.custom
  return isObject(declaration) ? readFunction(declaration) : []
}

function readFunction(declaration: JsonObject): readonly ToolFacts[] {
  return toolFacts(declaration.name, declaration.parameters)
}

function objects(list: JsonValue | undefined): readonly JsonObject[] {
  return Array.isArray(list) ? list.filter(isObject) : []
}
