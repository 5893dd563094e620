import { DogearError } from '../errors.ts'

/** Facts of a transcript that could not be read. None of them may hold text of the conversation. */
export interface UnreadableFacts {
  readonly expected: string
  readonly actual: string
  readonly advice: string
}

export function unreadable(facts: UnreadableFacts): DogearError {
  return new DogearError({
    code: 'transcript_unreadable',
    message: `transcript cannot be read: expected ${facts.expected}, got ${facts.actual}; ${facts.advice}`,
    fields: { ...facts },
  })
}
