import { utf8Bytes } from './engine/byte-bound.ts'
import type { DecidedRequest } from './engine/decide.ts'
import type { NativeMessage } from './engine/format.ts'
import type { JsonObject } from './engine/json.ts'
import { DogearError } from './errors.ts'
import { type OpenedRequest, whileReading } from './request-reading.ts'

/**
 * The request that leaves: the app's own where nothing was changed, else written anew and gated. It must not
 * have a structural fault that the app's own did not have (rules.md 2, "Validity is a gate").
 */
export function outgoingRequest(opened: OpenedRequest, decided: DecidedRequest): unknown {
  const { wire, request } = opened
  if (!decided.changed) {
    refuseTooManyBytes(opened, request)
    return request
  }
  const compiled = writeMessages(opened, decided)
  const known = countRules(wire.lint(request))
  for (const [rule, count] of countRules(wire.lint(compiled))) {
    if (count <= (known.get(rule) ?? 0)) continue
    throw new DogearError({
      code: 'compiled_request_invalid',
      message: `the folded request would break the provider's rule "${rule}", so it was not sent and nothing was changed; send your own list, and report this`,
      fields: { rule, format: wire.format },
    })
  }
  refuseTooManyBytes(opened, compiled)
  return compiled
}

/**
 * The decided messages in the request's own form. What the engine wrote is handed over as a copy, for the app
 * may change what it gets; `replaced` names what to send for messages that the app changed meanwhile.
 */
export function writeMessages(
  { wire, request, read }: OpenedRequest,
  decided: DecidedRequest,
  replaced: ReadonlyMap<NativeMessage, NativeMessage> = new Map(),
): JsonObject {
  const own = new Set(read.messages)
  const messages = decided.messages.map(({ native }) => {
    const sent = replaced.get(native) ?? native
    return own.has(sent) ? sent : structuredClone(sent)
  })
  const leading = read.leading.map((message, position) => {
    const marked = decided.leading.get(position)
    return marked === undefined ? message : structuredClone(marked)
  })
  return wire.write(withFields(request, decided.fields), { ...read, leading }, messages)
}

/** Values that hold a mark of ours, in the places of the app's own. */
function withFields(request: JsonObject, fields: DecidedRequest['fields']): JsonObject {
  if (fields.size === 0) return request
  const copies = [...fields].map(([key, value]) => [key, structuredClone(value)] as const)
  return { ...request, ...Object.fromEntries(copies) }
}

/** A body that the provider would not take, whatever its tokens are: media have few tokens and many bytes (R14). */
function refuseTooManyBytes({ wire }: OpenedRequest, request: unknown): void {
  const limit = wire.maxRequestBytes
  if (limit === undefined) return
  const bytes = whileReading(request, () =>
    textUnits(request) * LARGEST_UNIT <= limit ? 0 : utf8Bytes(JSON.stringify(request)),
  )
  if (bytes <= limit) return
  throw new DogearError({
    code: 'request_too_large',
    message: `the request has ${bytes} bytes, and the provider takes ${limit} at the most; send fewer or smaller images and documents`,
    fields: { bytes, limit, format: wire.format },
  })
}

/** Bytes that one unit of a string can take in JSON at the most: `\\u0000`. */
const LARGEST_UNIT = 6

/** UTF-16 units of all texts in a request, keys and punctuation generously included; far cheaper than its JSON. */
function textUnits(value: unknown): number {
  if (typeof value === 'string') return value.length + 4
  if (typeof value !== 'object' || value === null) return 24
  let units = 4
  for (const [key, inner] of Object.entries(value)) units += key.length + 4 + textUnits(inner)
  return units
}

function countRules(faults: readonly { readonly rule: string }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { rule } of faults) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  return counts
}
