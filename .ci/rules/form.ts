import { posix } from 'node:path'
import { Visitor } from 'vite'
import type { Module } from './module.ts'
import { isGenerated, type TreeFile } from './tree.ts'

const longestFile = 400

/** Drawers into which everything fits and in which nothing is found. */
const drawers = new Set(['utils', 'util', 'types', 'helpers', 'helper'])

/** Tools look for the default export of these. */
const configuration = /\.config\.[cm]?[jt]s$/

/** One sentence for each module whose exports hide what it offers. */
export function exportViolations(modules: readonly Module[]): string[] {
  return modules.flatMap(({ path, program }) => {
    const violations: string[] = []
    new Visitor({
      ExportDefaultDeclaration: () => {
        if (!configuration.test(path)) violations.push(`${path} has a default export: give it a name`)
      },
      ExportAllDeclaration: () => {
        violations.push(`${path} exports everything of another module: name what it offers`)
      },
    }).visit(program)
    return violations
  })
}

/** One sentence for each source file with an unfit name or too many lines. */
export function fileViolations(files: readonly TreeFile[]): string[] {
  return files.flatMap(({ path, text }) => [...nameFault(path), ...lengthFault(path, text)])
}

function nameFault(path: string): string[] {
  const file = posix.basename(path)
  const name = file.slice(0, file.indexOf('.'))
  if (drawers.has(name)) return [`${path} is a drawer: name it after the one idea that it holds`]
  const isComponent = file.endsWith('.tsx') && /^[A-Z][A-Za-z0-9]*$/.test(name)
  if (isComponent || /^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return []
  return [`${path} is not named in kebab-case, or PascalCase.tsx for a component`]
}

function lengthFault(path: string, text: string): string[] {
  const lines = text.trimEnd().split('\n').length
  return lines > longestFile && !isGenerated(path)
    ? [`${path} has ${lines} lines, more than ${longestFile}: split it by its ideas`]
    : []
}
