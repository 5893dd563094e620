import { type ESTree, parseSync, Visitor } from 'vite'
import { isSource, type TreeFile } from './tree.ts'

export interface ModuleImport {
  readonly specifier: string
  /** The names it takes from the other module; empty for a namespace, a side effect and a dynamic import. */
  readonly names: readonly string[]
  /** Gone after compilation: `import type`, `export type … from` and `import('…')` in a type. */
  readonly isType: boolean
}

export interface Module {
  readonly path: string
  readonly program: ESTree.Program
  readonly imports: readonly ModuleImport[]
}

/** Everything by which a module reaches another one; a worker's `new URL('./x.ts', import.meta.url)` too. */
export function parseModule({ path, text }: TreeFile): Module {
  const { program, errors } = parseSync(path, text, { sourceType: 'module' })
  if (errors.length > 0) throw new SyntaxError(`${path}: ${errors[0]?.message}`)

  const imports: ModuleImport[] = []
  const reach = (source: ESTree.Node | null | undefined, isType: boolean, names: readonly string[] = []) => {
    const specifier = literalText(source)
    if (specifier !== undefined) imports.push({ specifier, names, isType })
  }
  new Visitor({
    ImportDeclaration: (node) =>
      reach(node.source, node.importKind === 'type', node.specifiers.flatMap(importedName)),
    ExportNamedDeclaration: (node) =>
      reach(
        node.source,
        node.exportKind === 'type',
        node.specifiers.flatMap(({ local }) => moduleName(local)),
      ),
    ExportAllDeclaration: (node) => reach(node.source, node.exportKind === 'type'),
    ImportExpression: (node) => reach(node.source, false),
    TSImportType: ({ source, qualifier }) =>
      reach(source, true, qualifier?.type === 'Identifier' ? [qualifier.name] : []),
    NewExpression: ({ callee, arguments: [source, base] }) => {
      const isModuleUrl = callee.type === 'Identifier' && callee.name === 'URL' && isImportMetaUrl(base)
      if (isModuleUrl && isSource(literalText(source) ?? '')) reach(source, false)
    },
  }).visit(program)
  return { path, program, imports }
}

function importedName(specifier: ESTree.ImportDeclarationSpecifier): string[] {
  return specifier.type === 'ImportSpecifier' ? moduleName(specifier.imported) : []
}

function moduleName(name: ESTree.ModuleExportName): string[] {
  return [name.type === 'Literal' ? name.value : name.name]
}

function isImportMetaUrl(node: ESTree.Node | undefined): boolean {
  return (
    node?.type === 'MemberExpression' &&
    node.object.type === 'MetaProperty' &&
    node.property.type === 'Identifier' &&
    node.property.name === 'url'
  )
}

/** The text of a string or of a template without holes. */
function literalText(node: ESTree.Node | null | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? undefined
  return undefined
}
