import { isBuiltin } from 'node:module'
import { posix } from 'node:path'
import { isPublicEntry, mayImport, type Part, partOf } from './layers.ts'
import type { Module, ModuleImport } from './module.ts'
import { isTooling } from './tree.ts'

/** What only the panel, the demo and the integrations draw with, and tests of them. */
const drawing = /^(react|react-dom|zustand|recharts|@tanstack\/react-virtual)(\/|$)/

/** A panel that holds one of these knows that a session exists. */
const sessionNames = new Set(['Dogear', 'Branch', 'Prepared', 'createDogear'])

/** One sentence for each import that the table of parts does not allow. */
export function importViolations(modules: readonly Module[], paths: ReadonlySet<string>): string[] {
  return modules.flatMap(({ path, imports }) =>
    imports.flatMap((each) => {
      const fault = importFault(path, each, paths)
      return fault === undefined ? [] : [`${path} imports ${each.specifier}: ${fault}`]
    }),
  )
}

/** @returns the path of the imported file, undefined for a package */
export function importedPath(from: string, specifier: string): string | undefined {
  if (!/^(\.{1,2}(\/|$)|\/)/.test(specifier)) return undefined
  return posix.join(posix.dirname(from), specifier.replace(/\?.*$/, ''))
}

function importFault(from: string, imported: ModuleImport, paths: ReadonlySet<string>): string | undefined {
  const target = importedPath(from, imported.specifier)
  if (target !== undefined && !paths.has(target)) return 'there is no such file'
  const part = partOf(from)
  if (isTooling(from) && part !== 'e2e') return undefined
  if (part === undefined)
    return from.startsWith('sdk/')
      ? 'its folder is no part of the product yet; name it in layers.ts'
      : undefined
  return target === undefined ? packageFault(from, part, imported) : fileFault(from, part, imported, target)
}

function packageFault(from: string, part: Part, imported: ModuleImport): string | undefined {
  const { specifier, isType } = imported
  if (/^dogear(\/|$)/.test(specifier)) {
    if (part === 'panel') return panelFault(from, imported)
    return part === 'demo' ? undefined : 'only the demo and the types of the panel come by the public entries'
  }
  if (part === 'engine') return 'the engine imports only itself'
  if (part === 'e2e' || isType) return undefined
  // What tests talk to over the network is no part of a page.
  if (isBuiltin(specifier))
    return /^sdk\/testing\/.*\bserver\.ts$/.test(from) ? undefined : 'it runs in browsers'
  if (drawing.test(specifier) && !['panel', 'demo', 'integration', 'testing'].includes(part))
    return 'only the panel, the demo and the integrations draw'
  return undefined
}

function fileFault(from: string, part: Part, imported: ModuleImport, target: string): string | undefined {
  if (isTooling(target) && !isTooling(from)) return 'tests and tools do not ship'
  const other = partOf(target)
  if (part === other) return part === 'wire' ? formatFault(from, target) : undefined
  if (part === 'e2e' && other === undefined) return undefined
  if (part === 'demo')
    return isPublicEntry(target) ? undefined : 'the demo uses the public entries, as a user would'
  if (other === undefined || !mayImport[part].includes(other)) {
    return `${part} may import ${[part, ...mayImport[part]].join(', ')}`
  }
  return part === 'panel' ? panelFault(from, imported, other) : undefined
}

/** Each format has a folder; what several of them need stands beside the folders. */
function formatFault(from: string, target: string): string | undefined {
  const [mine, other] = [from, target].map((path) => path.match(/^sdk\/wire\/([^/]+)\//)?.[1])
  const isForeign = mine !== undefined && other !== undefined && mine !== other
  return isForeign ? 'a wire format does not import another one' : undefined
}

function panelFault(from: string, { names, isType }: ModuleImport, other?: Part): string | undefined {
  if (!isType) return 'the panel takes only types from the SDK'
  if (/^panel\/source[-.]/.test(from)) return undefined
  const knowsSession = other === 'session' || names.some((name) => sessionNames.has(name))
  return knowsSession ? 'only panel/source.ts knows that a session exists' : undefined
}
