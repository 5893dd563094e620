import { findChromium, onPath } from './chromium.mjs'
import { npm, run } from './command.mjs'

const packageManagers = [
  { command: 'apt-get', steps: [['update'], ['install', '-y', 'chromium']] },
  { command: 'dnf', steps: [['install', '-y', 'chromium']] },
  { command: 'apk', steps: [['add', 'chromium']] },
]

/**
 * Finds a Chromium, or gets one: Playwright's download first, then the system's packages where this is root.
 *
 * @returns {Promise<string | undefined>}
 */
export async function provideChromium() {
  const found = findChromium()
  if (found) return found

  console.log('No Chromium on this machine: downloading the one that Playwright offers.')
  await npm(['exec', '--', 'playwright', 'install', 'chromium'])
  const downloaded = findChromium()
  if (downloaded) return downloaded

  if (process.getuid?.() === 0) {
    console.log('No download: asking the package manager of this system.')
    await installFromSystem()
    const installed = findChromium()
    if (installed) return installed
  }
  console.error(
    'No Chromium could be found or installed. Install Chromium or Google Chrome, or set DOGEAR_CHROMIUM to the path of one.',
  )
  return undefined
}

async function installFromSystem() {
  const manager = packageManagers.find(({ command }) => onPath([command]).length > 0)
  if (!manager) return
  for (const args of manager.steps) {
    const { code } = await run(manager.command, args, { env: { DEBIAN_FRONTEND: 'noninteractive' } })
    if (code !== 0) return
  }
}
