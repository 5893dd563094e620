import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../.ci/project.mjs'

/** Older bundlers, for which the app has to ask itself: two versions would share one command of the project's tools. */
const bundlers = { vite7: 'npm:vite@7.3.8', vite5: 'npm:vite@5.4.21' }

/**
 * Builds the package, packs it as it would be published and installs it into a folder of its own, as an app would,
 * with the app's sources beside it. Returns the folder.
 */
export function installPackage(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dogear-consumer-'))
  npm(root, 'run', '--silent', 'build')
  const [packed] = JSON.parse(npm(root, 'pack', '--json', '--ignore-scripts', '--pack-destination', folder))
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const dependencies = {
    dogear: `file:${packed.filename}`,
    ai: devDependencies.ai,
    react: devDependencies.react,
    'react-dom': devDependencies['react-dom'],
    '@types/react': devDependencies['@types/react'],
    ...bundlers,
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module', dependencies }))
  npm(
    folder,
    'install',
    '--ignore-scripts',
    '--prefer-offline',
    '--no-audit',
    '--no-fund',
    '--no-package-lock',
  )
  cpSync(join(root, 'e2e/fixtures/consumers'), folder, { recursive: true })
  return folder
}

function npm(folder: string, ...args: readonly string[]): string {
  return execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}
