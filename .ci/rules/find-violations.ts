import { cycleViolations } from './cycles.ts'
import { exportViolations, fileViolations } from './form.ts'
import { importViolations } from './imports.ts'
import { leftoverViolations } from './leftovers.ts'
import { parseModule } from './module.ts'
import { purityViolations } from './purity.ts'
import { isGenerated, isSource, type TreeFile } from './tree.ts'

/** What the files of a tree do against the project's rules, one sentence each. */
export function findViolations(files: readonly TreeFile[]): string[] {
  const sources = files.filter(({ path }) => isSource(path))
  const modules = sources.filter(({ path }) => !isGenerated(path)).map(parseModule)
  const paths = new Set(files.map(({ path }) => path))
  return [
    ...importViolations(modules, paths),
    ...cycleViolations(modules),
    ...purityViolations(modules),
    ...exportViolations(modules),
    ...fileViolations(sources),
    ...leftoverViolations(files),
  ]
}
