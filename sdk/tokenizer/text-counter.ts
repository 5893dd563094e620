/** Counts on the thread that calls it: the tokens that o200k_base's `encode_ordinary` has for the whole text. */
export interface TextCounter {
  count(text: string): number
}
