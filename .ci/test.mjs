import { rmSync } from 'node:fs'
import { installMissing } from './install.mjs'
import { resultsFolder } from './project.mjs'
import { provideChromium } from './provide-chromium.mjs'
import { printTotal, runSteps } from './steps.mjs'

/** @param {string} name */
const script = (name) => ['run', '--silent', name, '--']

/** @type {import('./steps.mjs').Step[]} */
const steps = [
  { name: 'types', npm: script('test:types') },
  { name: 'types-engine', npm: script('test:types:engine') },
  { name: 'lint', npm: script('test:lint') },
  { name: 'unused', npm: script('test:unused') },
  { name: 'unit', npm: script('test:unit'), suite: 'vitest' },
  { name: 'browser', npm: script('test:browser'), suite: 'vitest', needsChromium: true },
  { name: 'build', npm: script('build') },
  { name: 'size', npm: script('test:size') },
  { name: 'consumers', npm: script('test:consumers'), suite: 'playwright', needsChromium: true },
  { name: 'survival', npm: script('test:survival'), suite: 'playwright', needsChromium: true },
  { name: 'e2e', npm: script('test:e2e'), suite: 'playwright', needsChromium: true },
]

// All of them take ten minutes: `npm run test:kill`.
process.env.DOGEAR_KILL_SEEDS ??= '20'

if (await installMissing()) {
  rmSync(resultsFolder, { recursive: true, force: true })
  process.exitCode = await runSteps(steps, { chromium: await provideChromium() })
} else {
  printTotal({ passed: 0, failed: 1 })
  process.exitCode = 1
}
