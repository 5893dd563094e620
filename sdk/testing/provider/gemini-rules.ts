import { isObject, type JsonObject } from '../../engine/json.ts'
import type { ReceivedChat, Rejection } from './dialect.ts'
import { objectsOf } from './json-reading.ts'
import type { ProviderModel } from './model.ts'

export function geminiError(status: number, message: string): Rejection {
  const name = status === 400 ? 'INVALID_ARGUMENT' : status === 429 ? 'RESOURCE_EXHAUSTED' : 'INTERNAL'
  return { status, body: { error: { code: status, message, status: name } } }
}

/** What Gemini says of contents that are not whole; null: nothing. */
export function geminiFault({ body }: ReceivedChat, { thinking }: ProviderModel): Rejection | null {
  const contents = objectsOf(body.contents)
  const text = emptyFault(contents) ?? orderFault(contents) ?? (thinking ? signatureFault(contents) : null)
  return text === null ? null : geminiError(400, text)
}

function emptyFault(contents: readonly JsonObject[]): string | null {
  return contents.some(({ parts }) => objectsOf(parts).length === 0)
    ? 'Unable to submit request because it must include at least one parts field, which describes the prompt input.'
    : null
}

const holds = (key: string) => (part: JsonObject) => isObject(part[key])

/** Calls come after the user or after responses, and as many responses as calls right after them. */
function orderFault(contents: readonly JsonObject[]): string | null {
  for (const [place, { parts }] of contents.entries()) {
    const calls = objectsOf(parts).filter(holds('functionCall')).length
    const responses = objectsOf(parts).filter(holds('functionResponse')).length
    const before = contents[place - 1]
    const asked = objectsOf(before?.parts).filter(holds('functionCall')).length
    if (calls > 0 && before?.role !== 'user')
      return 'Please ensure that function call turn comes immediately after a user turn or after a function response turn.'
    if (responses !== asked) return countFault
  }
  return objectsOf(contents.at(-1)?.parts).some(holds('functionCall')) ? countFault : null
}

const countFault =
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.'

/** In the current turn the first call of each step shows what it was thought with. */
function signatureFault(contents: readonly JsonObject[]): string | null {
  const start = contents.findLastIndex(
    ({ role, parts }) => role === 'user' && !objectsOf(parts).some(holds('functionResponse')),
  )
  for (const { role, parts } of contents.slice(start + 1)) {
    const first = role === 'model' ? objectsOf(parts).find(holds('functionCall')) : undefined
    if (first && typeof first.thoughtSignature !== 'string')
      return 'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly.'
  }
  return null
}
