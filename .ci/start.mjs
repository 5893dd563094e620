import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installMissing } from './install.mjs'
import { root } from './project.mjs'

// npm does not pass on the signal that ends it, and a server that nobody sees would keep its port.
const parent = process.ppid
setInterval(() => {
  if (process.ppid !== parent) process.exit()
}, 1000).unref()

if (await installMissing()) {
  process.chdir(root)
  // Vite's own command line, in this process: its options, shortcuts and signals work as people know them.
  await import(pathToFileURL(join(root, 'node_modules/vite/bin/vite.js')).href)
} else {
  process.exitCode = 1
}
