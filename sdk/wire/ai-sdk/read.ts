import type { ReadOutcome, RequestRoute, ShapeFault } from '../../engine/format.ts'
import { isObject, type JsonObject } from '../../engine/json.ts'
import { thinkingMode } from '../claude-thinking.ts'
import { countedFields } from '../counted-fields.ts'
import { checkRoleAndContent, type MessageListReading, readMessageList, typeName } from '../message-list.ts'
import { toolFacts } from '../tool-facts.ts'
import { lifetimeOf, markIn } from './marks.ts'
import { contentParts, isSystem, optionsFor } from './parts.ts'
import { takesMarks } from './provider.ts'
import { isSignedReasoning } from './reasoning.ts'

/** Call options name no model, so that what depends on it is told from where the app says that they go. */
export function readRequest(request: JsonObject, route: RequestRoute = {}): ReadOutcome {
  const list = checkRequest(request)
  if (list.type === 'fault') return list
  const firstMatched = list.messages.findIndex((message) => !isSystem(message))
  const leading = firstMatched < 0 ? list.messages.length : firstMatched
  const tools = Array.isArray(request.tools) ? request.tools.filter(isObject) : []
  const model = typeof request.model === 'string' ? request.model : undefined
  const continues = continuedHistory(request)
  const { cachedContent } = googleOptions(request)
  const endMark = markIn(request)
  const reader = route.model ?? model
  return {
    type: 'read',
    request: {
      model,
      fields: countedFields(request, { listKey: 'prompt', schemaKey: 'responseFormat' }),
      leading: list.messages.slice(0, leading),
      messages: list.messages.slice(leading),
      tools: tools.flatMap((tool) => toolFacts(tool.name, tool.inputSchema)),
      ...(continues === null ? {} : { continues }),
      ...(typeof cachedContent === 'string' ? { heldPrefix: cachedContent } : {}),
      ...(asksForLeadingThinking(request, reader) ? { keepsTurnHead: true } : {}),
      ...(bindsReasoning(request, list.messages, reader) ? { bindsReasoning: true } : {}),
      ...(takesMarks({ ...route, model: reader }) ? {} : { takesNoMarks: true }),
      ...(endMark === null ? {} : { endMark: lifetimeOf(endMark) }),
    },
  }
}

/** The messages of a request, or what in it has not the shape of one. */
export function checkRequest(request: JsonObject): MessageListReading {
  return readMessageList({ request, key: 'prompt', check: checkMessage })
}

function checkMessage(message: JsonObject, path: string): ShapeFault | null {
  if (message.content === undefined || message.content === null)
    return {
      path: `${path}.content`,
      expected: 'text or a list of parts',
      actual: typeName(message.content),
    }
  return checkRoleAndContent(message, path)
}

/** The response or conversation whose history the provider holds; null where the list is all there is. */
function continuedHistory(request: JsonObject): string | null {
  const { previousResponseId, conversation } = optionsFor('openai', request)
  const { thread } = optionsFor('anthropic', request)
  const { previousInteractionId } = googleOptions(request)
  const message = isObject(thread) && thread.type === 'continue' ? thread.previousMessageId : undefined
  const found = [previousResponseId, conversation, message, previousInteractionId].find(
    (id) => typeof id === 'string',
  )
  return found ?? null
}

/** By any of the names that its adapters go by. */
function googleOptions(request: JsonObject): JsonObject {
  const names = ['vertex', 'googleVertex', 'google']
  return Object.assign({}, ...names.map((name) => optionsFor(name, request)))
}

/** Whether a turn that ends in tool results must start with thinking. */
function asksForLeadingThinking(request: JsonObject, model: string | undefined): boolean {
  const { thinking } = optionsFor('anthropic', request)
  return isObject(thinking) && thinking.type === 'enabled' && thinkingMode(model) === 'manual'
}

/** Efforts that do not say that a model is to reason. */
const silentEfforts: ReadonlySet<unknown> = new Set([undefined, 'none', 'provider-default'])

/** Whether reasoning of this request is, or will be, bound to all that stands before it. */
function bindsReasoning(
  request: JsonObject,
  messages: readonly JsonObject[],
  model: string | undefined,
): boolean {
  if (thinkingMode(model) !== 'preserved') return false
  const { thinking } = optionsFor('anthropic', request)
  const isEnabled = isObject(thinking) && thinking.type !== 'disabled'
  return (
    isEnabled ||
    !silentEfforts.has(request.reasoning) ||
    messages.some((message) => contentParts(message).some(isSignedReasoning))
  )
}
