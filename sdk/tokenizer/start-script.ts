import type { GivenRanks } from './given-ranks.ts'
import type { PackedRanks } from './ranks.ts'
import { createScriptCounter } from './script-counter.ts'
import type { TextCounter } from './text-counter.ts'
import { packTiktokenRanks } from './tiktoken-ranks.ts'

export interface StartedScript {
  readonly ranks: PackedRanks
  readonly script: TextCounter
}

/** The script counter from a vocabulary in either form. Throws where it is none. */
export function startScript(given: GivenRanks): StartedScript {
  const ranks = 'bpe_ranks' in given ? packTiktokenRanks(given) : given
  return { ranks, script: createScriptCounter(ranks) }
}
