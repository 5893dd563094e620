import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './command.mjs'
import { root } from './project.mjs'

/** Builds the package into dist/: the modules, then their declarations beside them. */
const commands = [
  ['vite', 'build', '--mode', 'library', '--logLevel', 'warn'],
  ['tsc', '-p', 'sdk/tsconfig.declarations.json'],
]

for (const command of commands) {
  const { code } = await npm(['exec', '--', ...command])
  if (code !== 0) process.exit(code)
}

// The compiler leaves the endings of the sources in declarations, and there are no sources in the package.
const dist = join(root, 'dist')
for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.d.ts')) continue
  const path = join(dist, file)
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, text.replace(/((?:from|import\()\s*['"]\.[^'"]*)\.tsx?(['"])/g, '$1.js$2'))
}
