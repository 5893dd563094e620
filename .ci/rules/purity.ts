import { type ESTree, Visitor } from 'vite'
import type { Module } from './module.ts'
import { isTooling } from './tree.ts'

/** Clocks, chance, the outside and anything that answers later. */
const impure = new Set([
  'Date',
  'Promise',
  'console',
  'crypto',
  'performance',
  'process',
  'fetch',
  'globalThis',
  'queueMicrotask',
  'requestAnimationFrame',
  'setImmediate',
  'setInterval',
  'setTimeout',
])

/** One sentence for each place where the engine is neither pure nor synchronous. */
export function purityViolations(modules: readonly Module[]): string[] {
  return modules
    .filter(({ path }) => path.startsWith('sdk/engine/') && !isTooling(path))
    .flatMap(({ path, program }) =>
      [...impurities(program)].map((what) => `${path} uses ${what}: the engine is pure and synchronous`),
    )
}

function impurities(program: ESTree.Program): Set<string> {
  const found = new Set<string>()
  // A property's name is no reference: a record may well have a field called `process`.
  const labels = new Set<unknown>()
  const label = ({ computed, key }: { readonly computed: boolean; readonly key: unknown }) => {
    if (!computed) labels.add(key)
  }
  const checkFunction = ({ async }: { readonly async: boolean }) => {
    if (async) found.add('async')
  }
  new Visitor({
    MemberExpression: ({ computed, object, property }) => {
      if (computed) return
      labels.add(property)
      if (!isNamed(object, 'Math')) return
      labels.add(object)
      if (isNamed(property, 'random')) found.add('Math.random')
    },
    Property: label,
    PropertyDefinition: label,
    MethodDefinition: label,
    TSPropertySignature: label,
    TSMethodSignature: label,
    Identifier: (node) => {
      if (labels.has(node)) return
      if (impure.has(node.name)) found.add(node.name)
      if (node.name === 'Math') found.add('Math as a value')
    },
    AwaitExpression: () => {
      found.add('await')
    },
    ForOfStatement: (node) => {
      if (node.await) found.add('await')
    },
    FunctionDeclaration: checkFunction,
    FunctionExpression: checkFunction,
    ArrowFunctionExpression: checkFunction,
  }).visit(program)
  return found
}

function isNamed(node: ESTree.Node, name: string): boolean {
  return node.type === 'Identifier' && node.name === name
}
