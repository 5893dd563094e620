import type { DecidedRequest } from './engine/decide.ts'
import { DogearError } from './errors.ts'
import type { OpenedRequest } from './request-reading.ts'

/**
 * The request that leaves: the app's own where nothing was changed, else written anew and gated. It must not
 * have a structural fault that the app's own did not have (rules.md 2, "Validity is a gate").
 */
export function outgoingRequest(opened: OpenedRequest, decided: DecidedRequest): unknown {
  const { wire, request, read } = opened
  if (!decided.changed) return request
  const compiled = wire.write(
    request,
    read,
    decided.messages.map((message) => message.native),
  )
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

function countRules(faults: readonly { readonly rule: string }[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { rule } of faults) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  return counts
}
