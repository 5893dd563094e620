import type { PackedRanks } from './ranks.ts'

/** Written by `generate-ranks.ts`. */
export declare const packedRanks: PackedRanks
