import type { ContextPolicy } from '../engine/policy.ts'
import type { Summarize } from '../ports.ts'
import type { Random } from './random.ts'

export interface Setting {
  readonly policy: ContextPolicy & { readonly maxInputTokens: number }
  /** Absent: there is nobody to write a summary. */
  readonly summarize?: Summarize
}

/** Settings under which a conversation of so many tokens is folded a little, a lot, or cannot be sent at all. */
export function randomSetting(random: Random, tokens: number): Setting {
  const bound = random.pick([undefined, undefined, 1024, 4000, 20_000])
  const recovery = random.pick(['auto', 'auto', 'user', 'model'] as const)
  const mode = random.pick(['summarize', 'summarize', 'delegate', 'off'] as const)
  const summarize = random.pick([written, written, lengthy, empty, broken, undefined])
  return {
    policy: {
      maxInputTokens: Math.max(1, Math.floor(tokens * random.pick([1, 0.8, 0.6, 0.4, 0.25, 0.1]))),
      contextFoldAt: random.pick([0.8, 0.9]),
      contextFoldTarget: random.pick([0.6, 0.5]),
      contextFoldTailMargin: random.pick([0, 0, 0, 1, 3]),
      promptCaching: random.chance(0.5),
      recovery,
      notice: random.chance(0.2),
      summaryBodies: random.chance(0.3),
      compaction: { mode },
      ...(bound === undefined ? {} : { toolResultMaxChars: bound }),
    },
    ...(summarize ? { summarize } : {}),
  }
}

/** Short, and the same for the same history. */
export const written: Summarize = async ({ history }) =>
  `The notes were read and compared; ${history.length} characters of it.`

const lengthy: Summarize = async ({ history }) => `It went like this. ${history}`

const empty: Summarize = async () => ({ text: ' \n' })

const broken: Summarize = async () => {
  throw new Error('the summary could not be written')
}
