import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './command.mjs'
import { root } from './project.mjs'

const oldestNode = [20, 19]

/**
 * @typedef {{ packages?: Record<string, { version?: string, optional?: boolean, link?: boolean }> }} Lock
 */

/**
 * The locked packages that are not installed in the locked version. Optional ones are npm's business:
 * most of them are builds for other platforms.
 *
 * @param {Lock} locked
 * @param {Lock} installed
 * @returns {string[]}
 */
export function missingPackages(locked, installed) {
  return Object.entries(locked.packages ?? {})
    .filter(([path, entry]) => path !== '' && !entry.optional && !entry.link)
    .filter(([path, entry]) => installed.packages?.[path]?.version !== entry.version)
    .map(([path]) => path.replace(/^.*node_modules\//, ''))
}

/**
 * @param {string} version such as `20.19.0`
 * @returns {boolean}
 */
export function isSupportedNode(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode
  return major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)
}

/**
 * Brings node_modules to what the lock file says, and what is generated from it up to date; does nothing where
 * both already are.
 *
 * @returns {Promise<boolean>} false when something is still missing, after saying what
 */
export async function installMissing() {
  if (!isSupportedNode(process.versions.node)) {
    console.error(`dogear needs Node ${oldestNode.join('.')} or newer, and this is ${process.versions.node}.`)
    return false
  }
  const missing = missingPackages(readLock('package-lock.json'), readLock('node_modules/.package-lock.json'))
  if (missing.length > 0) {
    console.log(`Installing: ${missing.length} packages are missing or of another version.`)
    // NODE_ENV=production must not leave the tools out.
    if (!(await succeeds('ci', '--include=dev', '--no-audit', '--no-fund'))) return false
  }
  // npm ci does this too, but not where ignore-scripts is set, nor after a change of what it is made from.
  return succeeds('run', '--silent', 'prepare')
}

/** @param {string[]} args */
async function succeeds(...args) {
  const { code } = await npm(args)
  if (code !== 0) console.error(`npm ${args.join(' ')} failed; its own message stands above.`)
  return code === 0
}

/**
 * npm writes node_modules/.package-lock.json as its last act, so a broken-off installation has none.
 *
 * @param {string} path
 * @returns {Lock}
 */
function readLock(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8'))
  } catch {
    return {}
  }
}
