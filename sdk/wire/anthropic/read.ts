import type { ReadOutcome, ShapeFault } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { thinkingMode } from '../claude-thinking.ts'
import { countedFields } from '../counted-fields.ts'
import { checkRoleAndContent, type MessageListReading, readMessageList, typeName } from '../message-list.ts'
import { toolFacts } from '../tool-facts.ts'
import { contentBlocks } from './entries.ts'
import { lifetimeOf } from './marks.ts'
import { isThinking } from './reasoning.ts'

export function readRequest(request: JsonObject): ReadOutcome {
  const list = checkRequest(request)
  if (list.type === 'fault') return list
  const tools = Array.isArray(request.tools) ? request.tools.filter(isObject) : []
  const model = typeof request.model === 'string' ? request.model : undefined
  const continues = continuedMessage(request)
  return {
    type: 'read',
    request: {
      model,
      fields: countedFields(request, { listKey: 'messages', schemaKey: 'output_config' }),
      leading: [],
      messages: list.messages,
      tools: tools.flatMap((tool) => toolFacts(tool.name, tool.input_schema)),
      ...(continues === null ? {} : { continues }),
      ...(asksForLeadingThinking(request, model) ? { keepsTurnHead: true } : {}),
      ...(bindsReasoning(request, list.messages, model) ? { bindsReasoning: true } : {}),
      ...(isObject(request.cache_control) ? { endMark: lifetimeOf(request.cache_control) } : {}),
    },
  }
}

/** The message whose history a thread holds and this request goes on with; null where the list is all there is. */
export function continuedMessage({ thread }: JsonObject): string | null {
  if (!isObject(thread) || thread.type !== 'continue') return null
  return typeof thread.previous_message_id === 'string' ? thread.previous_message_id : null
}

/** Whether a turn that ends in tool results must start with thinking. */
export function asksForLeadingThinking(request: JsonObject, model: string | undefined): boolean {
  return isObject(request.thinking) && request.thinking.type === 'enabled' && thinkingMode(model) === 'manual'
}

/** Whether thinking of this request is, or will be, bound to all that stands before it. */
function bindsReasoning(
  { thinking }: JsonObject,
  messages: readonly JsonValue[],
  model: string | undefined,
): boolean {
  if (thinkingMode(model) !== 'preserved') return false
  const isEnabled = isObject(thinking) && thinking.type !== 'disabled'
  return isEnabled || messages.some((message) => contentBlocks(message).some(isThinking))
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
