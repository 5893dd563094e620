import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Where every suite leaves its JSON report. */
export const resultsFolder = resolve(root, 'test-results')

/** Material that stands beside the project and never inside it; it may be absent. */
export const sharedFolder = resolve(root, process.env.DOGEAR_SHARED ?? '../shared')
