import { importedPath } from './imports.ts'
import type { Module } from './module.ts'

/** One sentence for each knot of modules that import each other, by whatever kind of import. */
export function cycleViolations(modules: readonly Module[]): string[] {
  const graph = new Map(
    modules.map(({ path, imports }) => [
      path,
      imports.flatMap(({ specifier }) => importedPath(path, specifier) ?? []),
    ]),
  )
  const done = new Set<string>()
  const violations: string[] = []

  const walk = (path: string, trail: readonly string[]) => {
    const start = trail.indexOf(path)
    if (start >= 0) {
      violations.push(`cycle: ${[...trail.slice(start), path].join(' → ')}`)
      return
    }
    if (done.has(path)) return
    for (const next of graph.get(path) ?? []) walk(next, [...trail, path])
    done.add(path)
  }
  for (const path of graph.keys()) walk(path, [])
  return violations
}
