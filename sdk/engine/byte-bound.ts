import { answerCounts } from './plan.ts'
import { isPair } from './text.ts'

/**
 * Tokens per UTF-8 byte of the densest ordinary text, base64; other text has half of it or less. An estimate
 * for when nothing better can be loaded: it may fold, it never refuses.
 */
const ESTIMATED_TOKENS_PER_BYTE = 0.7

/** UTF-8 length; no text has more tokens than that. A lone surrogate is sent as U+FFFD, which takes three bytes. */
export function utf8Bytes(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    // The second unit of a pair counts for both.
    if (unit < 0x80 || isPair(text, i)) continue
    bytes += unit < 0x800 ? 1 : 2
  }
  return bytes
}

export function estimateTokens(text: string): number {
  return Math.ceil(utf8Bytes(text) * ESTIMATED_TOKENS_PER_BYTE)
}

/** Answers a plan's counts with bytes: a proof that a request is small, with no tokenizer at hand. */
export const answerWithBytes = answerCounts((texts) => texts.map(utf8Bytes))

export const answerWithEstimates = answerCounts((texts) => texts.map(estimateTokens))
