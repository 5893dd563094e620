import type { CountedField, ReadOutcome, ShapeFault } from '../../engine/format.ts'
import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import { checkObjects, type MessageListReading, readMessageList, typeName } from '../message-list.ts'
import { toolFacts } from '../tool-facts.ts'
import { type FieldName, fieldOf } from './field-of.ts'

/**
 * Takes a body of generateContent as it goes over the wire, and the parameters of `@google/genai`, which have
 * the same list and everything else in `config`. Over the wire the model is not in the body but in the address.
 */
export function readRequest(request: JsonObject): ReadOutcome {
  const list = checkRequest(request)
  if (list.type === 'fault') return list
  const tools = settingOf(request, 'tools')
  const cached = settingOf(request, 'cachedContent')
  return {
    type: 'read',
    request: {
      model: modelOf(request),
      fields: countedFields(request),
      leading: [],
      messages: list.messages,
      ...(typeof cached === 'string' ? { heldPrefix: cached } : {}),
      tools: (Array.isArray(tools) ? tools : [])
        .flatMap(declarations)
        .flatMap((declaration) =>
          toolFacts(declaration.name, declaration.parameters ?? fieldOf(declaration, 'parametersJsonSchema')),
        ),
    },
  }
}

/** The contents of a request, or what in it has not the shape of one. */
export function checkRequest(request: JsonObject): MessageListReading {
  return readMessageList({ request, key: 'contents', check: checkContent })
}

export function modelOf({ model }: JsonObject): string | undefined {
  return typeof model === 'string' ? model : undefined
}

/** What a request sets beside its contents, at the top or in the SDK's `config`. */
export function settingOf(request: JsonObject, name: FieldName | 'tools'): JsonValue | undefined {
  const config = isObject(request.config) ? request.config : {}
  if (name === 'tools') return request.tools ?? config.tools
  return fieldOf(request, name) ?? fieldOf(config, name)
}

function declarations(tool: JsonValue): readonly JsonObject[] {
  const list = isObject(tool) ? fieldOf(tool, 'functionDeclarations') : undefined
  return Array.isArray(list) ? list.filter(isObject) : []
}

/** In counting order (rules.md 5, "text that is counted"): what is set elsewhere in a request counts the same. */
function countedFields(request: JsonObject): readonly CountedField[] {
  const generation = settingOf(request, 'generationConfig')
  const schemas = isObject(generation) ? generation : isObject(request.config) ? request.config : {}
  return [
    ...value('systemInstruction', 'system', settingOf(request, 'systemInstruction')),
    { type: 'messages', key: 'contents' },
    ...value('tools', 'tools', settingOf(request, 'tools')),
    ...value('responseSchema', 'other', fieldOf(schemas, 'responseSchema')),
    ...value('responseJsonSchema', 'other', fieldOf(schemas, 'responseJsonSchema')),
  ]
}

function value(
  key: string,
  part: 'system' | 'tools' | 'other',
  found: JsonValue | undefined,
): readonly CountedField[] {
  return found === undefined ? [] : [{ type: 'value', key, part, value: found }]
}

function checkContent(content: JsonObject, path: string): ShapeFault | null {
  const { role, parts } = content
  if (role !== undefined && typeof role !== 'string')
    return { path: `${path}.role`, expected: 'a role such as "user"', actual: typeName(role) }
  return parts === undefined ? null : checkObjects(parts, `${path}.parts`, 'a list of parts')
}
