import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'

const commands = ['chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser']

const applications = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** Quiet in containers and closed networks: no sandbox for root, no GPU, no traffic of the browser's own. */
const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * What Vitest and Playwright start a browser with. Without any Chromium the path stays out, and Playwright's
 * own message says how to get one.
 *
 * @returns {{ executablePath?: string, args: string[] }}
 */
export function chromiumLaunchOptions() {
  const executablePath = findChromium()
  return executablePath === undefined ? { args: flags } : { executablePath, args: flags }
}

/**
 * A Chromium that starts: the one that DOGEAR_CHROMIUM names, one of this machine, or one that Playwright has
 * downloaded.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined}
 */
export function findChromium(env = process.env) {
  if (env.DOGEAR_CHROMIUM) return env.DOGEAR_CHROMIUM
  const ofMachine = [...onPath(commands, env), ...applications.filter((path) => existsSync(path))].find(
    starts,
  )
  return ofMachine ?? downloadedChromiums().find(starts)
}

/**
 * @param {readonly string[]} commands
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string[]} the files of these names on PATH, in the order of PATH
 */
export function onPath(commands, env = process.env) {
  return (env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => commands.map((command) => join(folder, command)))
    .filter((path) => existsSync(path))
}

/**
 * Playwright's own revision first, then any other that its folder holds.
 *
 * @returns {string[]}
 */
function downloadedChromiums() {
  const own = playwrightChromiumPath()
  const parts = own?.match(/^(.+[\\/])chromium-\d+([\\/].+)$/)
  if (!own || !parts) return []
  const [, folder = '', inside = ''] = parts
  const revisions = existsSync(folder)
    ? readdirSync(folder).filter((name) => /^chromium-\d+$/.test(name))
    : []
  return [own, ...revisions.map((name) => `${folder}${name}${inside}`)].filter((path) => existsSync(path))
}

/** @returns {string | undefined} */
function playwrightChromiumPath() {
  try {
    return createRequire(import.meta.url)('@playwright/test').chromium.executablePath()
  } catch {
    return undefined // not installed yet
  }
}

/**
 * A name on PATH proves little: Ubuntu's chromium-browser is a script that only asks for a snap.
 *
 * @param {string} path
 */
function starts(path) {
  // On Windows --version opens a window instead of answering.
  if (process.platform === 'win32') return true
  return spawnSync(path, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0
}
