import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installMissing } from './install.mjs'
import { sharedFolder } from './project.mjs'
import { printTotal, runSteps } from './steps.mjs'

const name = process.argv[2] ?? 'corpus'
const dataFolder = join(sharedFolder, 'data')

if (!existsSync(dataFolder)) {
  console.log(
    `The ${name} suite is skipped: there is no ${dataFolder} (DOGEAR_SHARED names another place for shared/).`,
  )
} else if (await installMissing()) {
  const suite = ['exec', '--', 'vitest', 'run', '--project', name, ...process.argv.slice(3)]
  process.exitCode = await runSteps([{ name, npm: suite, suite: 'vitest' }])
} else {
  printTotal({ passed: 0, failed: 1 })
  process.exitCode = 1
}
