import type { RequestRoute } from '../../engine/format.ts'

/**
 * Whether Anthropic's adapter serves a request, the only one whose cache marks are placed (rules.md 6, "Cache
 * marks"): by the provider's name, such as `anthropic.messages`, or, where the app names none, by the model's own.
 */
export function takesMarks({ provider, model }: RequestRoute): boolean {
  if (provider !== undefined) return /(?:^|[^a-z])anthropic(?![a-z])/i.test(provider)
  return /^claude-/.test(model ?? '')
}
