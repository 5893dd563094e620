import { isObject, type JsonObject, type JsonValue } from '../../engine/json.ts'
import type { ReceivedChat, Rejection } from './dialect.ts'
import { objectsOf } from './json-reading.ts'
import type { ProviderModel } from './model.ts'

const names: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
}

export function geminiError(status: number, message: string): Rejection {
  return { status, body: { error: { code: status, message, status: names[status] ?? 'INTERNAL' } } }
}

/** What Gemini says of contents that are not whole, first fault first; null: nothing. */
export function geminiFault({ body }: ReceivedChat, { thinking }: ProviderModel): Rejection | null {
  const contents = objectsOf(body.contents)
  const text =
    shapeFault(body.contents) ??
    cacheFault(body) ??
    orderFault(contents) ??
    (thinking ? signatureFault(contents) : null)
  if (text !== null) return geminiError(400, text)
  // None is ever made here.
  return body.cachedContent === undefined
    ? null
    : geminiError(403, 'CachedContent not found (or permission denied)')
}

const contentType = 'type.googleapis.com/google.ai.generativelanguage.v1beta.Content'

function shapeFault(contents: JsonValue | undefined): string | null {
  if (contents === undefined || (Array.isArray(contents) && contents.length === 0))
    return '* GenerateContentRequest.contents: contents is not specified\n'
  if (!Array.isArray(contents)) return `Invalid value at 'contents' (${contentType})`
  for (const [place, content] of contents.entries()) {
    const path = `contents[${place}]`
    if (!isObject(content)) return `Invalid value at '${path}' (${contentType})`
    const { role, parts } = content
    if (role !== undefined && typeof role !== 'string') return `Invalid value at '${path}.role' (TYPE_STRING)`
    if (role !== undefined && !['user', 'model', 'function'].includes(role))
      return 'Please use a valid role: user, model.'
    if (parts !== undefined && !(Array.isArray(parts) && parts.every(isObject)))
      return `Invalid value at '${path}.parts' (${contentType.replace(/Content$/, 'Part')})`
    if (objectsOf(parts).length === 0)
      return 'Unable to submit request because it must include at least one parts field, which describes the prompt input.'
  }
  return null
}

function cacheFault({ cachedContent, systemInstruction, tools, toolConfig }: JsonObject): string | null {
  return cachedContent !== undefined &&
    [systemInstruction, tools, toolConfig].some((set) => set !== undefined)
    ? 'CachedContent can not be used with GenerateContent request setting system_instruction, tools or tool_config.\n\nProposed fix: move those values to CachedContent from GenerateContent request.'
    : null
}

const holds = (key: string) => (part: JsonObject) => isObject(part[key])

/** Whoever is not the model speaks for the user. */
function callsOf({ role, parts }: JsonObject): readonly JsonObject[] {
  return role === 'model' ? objectsOf(parts).filter(holds('functionCall')) : []
}

function responsesOf({ role, parts }: JsonObject): readonly JsonObject[] {
  return role === 'model' ? [] : objectsOf(parts).filter(holds('functionResponse'))
}

/** Calls come after the user or after responses, and as many responses as calls right after them. */
function orderFault(contents: readonly JsonObject[]): string | null {
  for (const [place, content] of contents.entries()) {
    const before = contents[place - 1]
    const asked = before === undefined ? 0 : callsOf(before).length
    if (callsOf(content).length > 0 && (before === undefined || before.role === 'model'))
      return 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.'
    if (responsesOf(content).length !== asked) return countFault
  }
  return contents.slice(-1).some((last) => callsOf(last).length > 0) ? countFault : null
}

const countFault =
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'

/** In the current turn the first call of each step shows what it was thought with. */
function signatureFault(contents: readonly JsonObject[]): string | null {
  const start = contents.findLastIndex(
    ({ role, parts }) => role !== 'model' && !objectsOf(parts).every(holds('functionResponse')),
  )
  for (const content of contents.slice(start + 1)) {
    const [first] = callsOf(content)
    if (first && (first.thoughtSignature ?? '') === '')
      return 'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.'
  }
  return null
}
