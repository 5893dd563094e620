export interface ClaudeName {
  /** `opus`, `sonnet`, `haiku`, `fable`, `mythos`. */
  readonly family: string
  readonly major: number
  readonly minor: number
}

/**
 * Family and version of a Claude model, from any of the spellings in use: `claude-sonnet-4-5-20250929`,
 * `claude-3-7-sonnet-latest`, `anthropic/claude-opus-4.6`, `us.anthropic.claude-sonnet-4-20250514-v1:0`.
 */
export function claudeName(model: string | undefined): ClaudeName | null {
  const [, name] = /claude-([a-z0-9.-]+)/.exec(model ?? '') ?? []
  if (name === undefined) return null
  const family = /[a-z]+/.exec(name)?.[0]
  // A version has one digit and perhaps one more; longer numbers are dates.
  const version = /(?<!\d)(\d)(?:[-.](\d))?(?!\d)/.exec(name)
  if (family === undefined || version === null) return null
  return { family, major: Number(version[1]), minor: Number(version[2] ?? 0) }
}
