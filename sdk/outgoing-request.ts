import type { DecidedRequest } from './engine/decide.ts'
import type { NativeMessage } from './engine/format.ts'
import type { JsonObject } from './engine/json.ts'
import { DogearError } from './errors.ts'
import type { OpenedRequest } from './request-reading.ts'

/**
 * The request that leaves: the app's own where nothing was changed, else written anew and gated. It must not
 * have a structural fault that the app's own did not have (rules.md 2, "Validity is a gate").
 */
export function outgoingRequest(opened: OpenedRequest, decided: DecidedRequest): unknown {
  const { wire, request } = opened
  if (!decided.changed) return request
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

function countRules(faults: readonly { readonly rule: string }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { rule } of faults) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  return counts
}
