import type { Random } from '../random.ts'
import { words } from './invented-text.ts'
import type { Call, Content, Said } from './script.ts'

export interface PlainScriptOptions {
  readonly rounds: number
  /** Longest result in words. */
  readonly resultWords: number
  /** How the provider's clients write a text by themselves. */
  readonly content: (text: string) => Content
}

/** Turns of several rounds, parallel calls, failed calls, answers with and without words; texts only. */
export function plainScript(random: Random, options: PlainScriptOptions): readonly Said[] {
  const { content } = options
  const script: Said[] = []
  let asked = 0
  for (let round = 0; round < options.rounds; round++) {
    if (round === 0 || random.chance(0.12)) {
      if (round > 0)
        script.push({
          type: 'answer',
          thinking: null,
          content: content(words(random, 30)),
          calls: [],
          aside: null,
        })
      script.push({ type: 'ask', content: content(`Task ${++asked}: ${words(random, 25)}`) })
    }
    const calls = Array.from({ length: random.pick([1, 1, 1, 2, 3, 5]) }, (_, position) =>
      plainCall(random, options, { round, position }),
    )
    const said = random.chance(0.5) ? content(words(random, 12)) : null
    script.push({ type: 'answer', thinking: null, content: said, calls, aside: null })
  }
  return script
}

function plainCall(
  random: Random,
  { resultWords }: PlainScriptOptions,
  place: { readonly round: number; readonly position: number },
): Call {
  const failed = random.chance(0.08)
  return {
    id: `call_${place.round}_${place.position}`,
    name: random.pick(['search', 'read_file', 'list_files', 'run']),
    input: {
      path: `notes/${words(random, 1)}/${place.round}.md`,
      query: words(random, random.integer(1, 40)),
    },
    result: {
      content: failed ? `Error: ${words(random, 6)}` : words(random, random.integer(1, resultWords)),
      failed,
    },
  }
}
