import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { installMissing } from './install.mjs'
import { root } from './project.mjs'

if (!(await installMissing())) process.exit(1)
process.chdir(root)
// Vite's own command line, in this process: its options, shortcuts and signals work as its users know them.
await import(pathToFileURL(join(root, 'node_modules/vite/bin/vite.js')).href)
