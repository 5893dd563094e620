import type { Format, ReadRequest, ShapeFault, WireFormat } from './engine/format.ts'
import { isObject, type JsonObject } from './engine/json.ts'
import { DogearError } from './errors.ts'

export interface OpenedRequest {
  readonly wire: WireFormat
  readonly request: JsonObject
  readonly read: ReadRequest
}

/** The formats that a session knows, and how one is told from its shape. */
export interface FormatRegistry {
  readonly all: readonly WireFormat[]
  detect(request: JsonObject): WireFormat | null
}

/** Finds the format of a request and takes it apart; rejects what no provider would understand. */
export function openRequest(
  request: unknown,
  options: { readonly format?: Format; readonly formats: FormatRegistry },
): OpenedRequest {
  if (!isObject(request))
    throw invalid({
      path: 'request',
      expected: 'an object such as { model, messages }',
      actual: nameOf(request),
    })
  const wire =
    options.format === undefined
      ? options.formats.detect(request)
      : options.formats.all.find((known) => known.format === options.format)
  if (!wire) throw unknownFormat(options.format, options.formats.all)
  const outcome = wire.read(request)
  if (outcome.type === 'fault') throw invalid(outcome.fault)
  return { wire, request, read: outcome.request }
}

/** An error for a request that has the wrong shape. Names the place and the types, never the content. */
export function invalid(fault: ShapeFault): DogearError {
  return new DogearError({
    code: 'invalid_request',
    message: `${fault.path} must be ${fault.expected}, but is ${fault.actual}; correct the request and prepare it again`,
    fields: { ...fault },
  })
}

function unknownFormat(format: Format | undefined, formats: readonly WireFormat[]): DogearError {
  const known = formats.map((wire) => wire.format).join(', ')
  return new DogearError({
    code: 'unknown_format',
    message:
      format === undefined
        ? `the request has the shape of none of ${known}; name its format with prepare(request, { format })`
        : `format must be one of ${known}, but is "${format}"`,
    fields: { format, known },
  })
}

function nameOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'an array' : typeof value
}
