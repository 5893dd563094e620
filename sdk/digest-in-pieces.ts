import { type Digest, digestText } from './engine/digest.ts'
import { Pace } from './engine/pace.ts'
import { asksNothing } from './engine/plan.ts'
import { type PieceOptions, runInPieces } from './run-in-pieces.ts'

/** Names a text by its content, and lets the page breathe meanwhile. */
export function digestInPieces(text: string, digest: Digest, pieces: PieceOptions): Promise<string> {
  return runInPieces(digestText(text, digest, new Pace()), { ...pieces, answer: asksNothing })
}
