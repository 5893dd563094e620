import type { Format, ReadRequest, RequestRoute, ShapeFault, WireFormat } from './engine/format.ts'
import { isObject, type JsonObject } from './engine/json.ts'
import { jsonFaultOf } from './engine/json-fault.ts'
import { DogearError } from './errors.ts'

/** The formats that a session knows, how one is told from its shape, and how it is loaded. */
export interface FormatRegistry {
  readonly names: readonly Format[]
  recognise(request: unknown): Format | null
  load(format: Format): Promise<WireFormat | null>
}

export interface OpenedRequest {
  readonly wire: WireFormat
  readonly request: JsonObject
  readonly read: ReadRequest
}

/** The wire of a request; rejects where no format has its shape or its name. */
export async function wireFor(
  request: unknown,
  options: { readonly format?: Format; readonly formats: FormatRegistry },
): Promise<WireFormat> {
  const { formats } = options
  const format = options.format ?? whileReading(request, () => formats.recognise(mustBeObject(request)))
  const wire = format === null ? null : await formats.load(format)
  if (wire === null) throw unknownFormat(options.format, formats.names)
  return wire
}

/** Takes a request apart; rejects what no provider would understand. */
export function openRequest(wire: WireFormat, request: unknown, route?: RequestRoute): OpenedRequest {
  const body = mustBeObject(request)
  const outcome = whileReading(body, () => wire.read(body, route))
  if (outcome.type === 'fault') throw invalid(outcome.fault)
  return { wire, request: body, read: outcome.request }
}

/** Reads an app's request. What its getters and proxies throw meanwhile is told as the part that throws. */
export function whileReading<Result>(request: unknown, read: () => Result): Result {
  try {
    return read()
  } catch (cause) {
    throw DogearError.isInstance(cause) ? cause : unreadable(request, cause)
  }
}

function unreadable(request: unknown, cause: unknown): DogearError {
  const fault = jsonFaultOf(request)
  if (fault === null)
    return new DogearError({
      code: 'invalid_request',
      message: 'the request could not be read; hand over plain data, as JSON.parse returns it',
      cause,
    })
  const [key = 'request', ...inner] = fault.path.slice(0, NAMED_KEYS)
  const path = inner.reduce<string>(
    (above, name) => above + (typeof name === 'number' ? `[${name}]` : `.${name}`),
    String(key),
  )
  return invalid({ path, expected: 'a value that JSON can hold', actual: fault.actual }, cause)
}

/** Such as messages[1].content; what lies deeper may be the conversation's. */
const NAMED_KEYS = 3

/** An error for a request that has the wrong shape. Names the place and the types, never the content. */
export function invalid(fault: ShapeFault, cause?: unknown): DogearError {
  return new DogearError({
    code: 'invalid_request',
    message: `${fault.path} must be ${fault.expected}, but is ${fault.actual}; correct the request and prepare it again`,
    fields: { ...fault },
    cause,
  })
}

export function unknownFormat(format: Format | undefined, names: readonly Format[]): DogearError {
  const known = names.join(', ')
  return new DogearError({
    code: 'unknown_format',
    message:
      format === undefined
        ? `the request has the shape of none of ${known}; name its format with prepare(request, { format })`
        : `format must be one of ${known}, but is "${format}"`,
    fields: { format, known },
  })
}

export function mustBeObject(request: unknown): JsonObject {
  if (isObject(request)) return request
  throw invalid({
    path: 'request',
    expected: 'an object such as { model, messages }',
    actual: nameOf(request),
  })
}

function nameOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : typeof value
}
