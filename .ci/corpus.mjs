import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installMissing } from './install.mjs'
import { sharedFolder } from './project.mjs'
import { printTotal, runSteps } from './steps.mjs'

const dataFolder = join(sharedFolder, 'data')

if (!existsSync(dataFolder)) {
  console.log(
    `Corpus suite skipped: there is no ${dataFolder} (DOGEAR_SHARED names another place for shared/).`,
  )
} else if (await installMissing()) {
  const suite = ['exec', '--', 'vitest', 'run', '--project', 'corpus', ...process.argv.slice(2)]
  process.exitCode = await runSteps([{ name: 'corpus', npm: suite, suite: 'vitest' }])
} else {
  printTotal({ passed: 0, failed: 1 })
  process.exitCode = 1
}
