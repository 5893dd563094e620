import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file of the project; `path` is relative to its root and written with `/`, `text` is empty for a binary file. */
export interface TreeFile {
  readonly path: string
  readonly text: string
}

const ignored = new Set(['node_modules', 'dist', 'test-results'])

/** What .gitignore names, and the hidden folders of git and of people's tools. */
function isOutside(name: string): boolean {
  return ignored.has(name) || (name.startsWith('.') && name !== '.ci')
}

export function readTree(root: string, folder = ''): TreeFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isDirectory()) return isOutside(entry.name) ? [] : readTree(root, path)
    const bytes = readFileSync(join(root, path))
    return [{ path, text: bytes.includes(0) ? '' : bytes.toString('utf8') }]
  })
}

/** Fixtures are input of tests, not source. */
export function isSource(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path) && !path.includes('/fixtures/')
}

/** What stands beside the product and never ships: tests, benchmarks, generators, and what both of them read. */
export function isTooling(path: string): boolean {
  return /\.(test|spec|bench)\.tsx?$|(^|\/)(benchmarks\/|generate[-.]|reference-|bundled-)/.test(path)
}

export function isGenerated(path: string): boolean {
  return path.includes('.generated.')
}
