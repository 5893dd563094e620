/** By these names the families are told apart: one without reasoning, one that binds it, one that wants it back. */
export const modelNames = {
  plain: 'claude-3-haiku-20240307',
  preserved: 'claude-opus-5-5',
  manual: 'claude-sonnet-4-5',
} as const
