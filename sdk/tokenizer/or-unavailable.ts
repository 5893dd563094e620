import { TokenizerError } from '../errors.ts'

/** Rejects with `tokenizer_unavailable` where a part of the tokenizer cannot be loaded. */
export async function orUnavailable<Part>(name: string, loading: Promise<Part>): Promise<Part> {
  try {
    return await loading
  } catch (cause) {
    throw new TokenizerError({
      code: 'tokenizer_unavailable',
      message: `the tokenizer's ${name} could not be loaded (${cause instanceof Error ? cause.message : String(cause)}); it is tried again on the next use`,
      cause,
    })
  }
}
