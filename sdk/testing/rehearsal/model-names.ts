/** By these names the families are told apart. */
export const modelNames = {
  plain: 'plain',
  /** Its window is a fraction of what the task comes to. */
  small: 'small',
  /** Hands out its reasoning encrypted, and wants it back ahead of what it led to. */
  reasoning: 'gpt-5.2',
  claude: 'claude-3-haiku-20240307',
  /** Binds its reasoning to all that stands before it. */
  preserved: 'claude-opus-5-5',
  /** Wants the reasoning of the newest tool turn back. */
  manual: 'claude-haiku-4-5',
  /** Signs its calls. */
  gemini: 'gemini-3-pro',
} as const
