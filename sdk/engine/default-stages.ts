import type { FoldStages } from './fold.ts'
import type { RepairStages } from './repair.ts'
import { all, reset } from './stages/all.ts'
import { clip } from './stages/clip.ts'
import { prune } from './stages/prune.ts'
import { summary } from './stages/summary.ts'
import { toolIo } from './stages/tool-io.ts'

/** The stages in force, in their order (R95). */
export const defaultStages: FoldStages = {
  ordinary: [toolIo(6), toolIo(2), clip],
  summaries: [all(6), all(2)],
  resets: [reset(6), reset(2)],
}

/** What makes a round fit that cannot be sent for its size (R331, R347). */
export const repairStages: RepairStages = { prune, summary }
