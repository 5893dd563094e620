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

// What the bundle holds of others goes with their license, whose terms are those of this package's own.
const { name, version, license, repository } = JSON.parse(
  readFileSync(join(root, 'node_modules/@dqbd/tiktoken/package.json'), 'utf8'),
)
const [, terms] = readFileSync(join(root, 'LICENSE'), 'utf8').split(/(?=^Permission is hereby granted)/m)
if (license !== 'MIT' || !terms) throw new Error(`the terms of ${name}, ${license}, must go with the package`)
writeFileSync(
  join(dist, 'THIRD-PARTY.txt'),
  `This package contains ${name} ${version} (${repository.url}) and the o200k_base vocabulary of OpenAI's tiktoken that comes with it. Both are under the ${license} License:\n\n${terms}`,
)
